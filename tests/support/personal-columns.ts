/**
 * How each column of the database is treated: `rows` are erased as a whole with the person they belong to, `erased` loses
 * its personal contents while its row stays, and `rest` holds nothing that leads to a person without the rest: ids,
 * figures, moments, keyed hashes, our own accounts and contents. The reason of an operator's act is `rest`: it belongs
 * to the trail and the books, and names nobody by the rule of docs/law.md. A new column has to be added here.
 */
export type Treatment = { rows: string } | { erased?: string; rest: string }

export const personalColumns: Record<string, Treatment> = {
  account_change: {
    rows: 'attempt changed_at erased_account next_attempt_at password_changed_at user_id version',
  },
  activation: { rest: 'activated_at fee transfer_id user_id' },
  alarm_notice: {
    rest: 'attempt began_at lease_until looked_at message message_id name next_attempt_at told_at told_count',
  },
  audit_head: { rest: 'hash id seal seal_hash seq' },
  audit_line: { rest: 'hash line seq' },
  contact_hint: { rows: 'email phone user_id' },
  content_version: { rest: 'kind version' },
  audit_log: {
    rest: 'action actor_id actor_kind at details hash line personal_hash prev_hash reason request_id seq subject_id subject_type',
  },
  audit_personal: { rows: 'content seq' },
  audit_seal: { rest: 'at day hash heads number prev_hash' },
  bank_statement_day: {
    rest: 'account_number day given_id in_count in_vnd list_provider listed out_count out_vnd provider read_at unreadable',
  },
  bank_transaction: {
    rest: 'account_number amount bank_ref booked_at created_at credited direction id order_id reason reversal_of state transfer_id user_id',
  },
  bank_transfer_act: { rest: 'act bank_transaction_id created_at details id operator_id reason' },
  campaign_report: {
    rest: 'all_recharged all_recharged_before brought brought_back campaign counted_until ends_at fees fees_back first_payers given goods goods_waiting held kind new_players payers payers_after payers_before players recharged recharged_before returned starts_at taken_back',
  },
  campaign_report_day: { rest: 'brought campaign day given kind players' },
  categories: { rest: 'description id position title updated_at' },
  consent: { rest: 'at id is_given source subject text_kind user_id version' },
  credit_reversal: { rest: 'bank_transaction_id created_at lent outgoing_id transfer_id' },
  daily_close: {
    rest: 'account_number arrived_count arrived_vnd bank_in_count bank_in_vnd bank_out_vnd credited_vnd day differences direct_coins due_coins id ignored_vnd is_empty is_latest ledger_coins left_vnd made_at open_events order_coins outcome refunded_vnd review_vnd revision status told_vnd',
  },
  daily_close_due: { rest: 'day id' },
  // The picture shows the sums of a day, without names of payers by the runbook.
  given_statement: { rest: 'account_number given_at given_by id picture sha256' },
  daily_digest: { rest: 'day is_sent made_at user_id' },
  deletion_request: {
    erased: 'message',
    rest: 'asked_at attempt decided_at decided_by due_at ended_at given_up hindered_by id last_mail_id next_attempt_at state user_id',
  },
  delivery: {
    erased: 'account character_id character_name',
    rest: 'amount attempt created_at goods id kind last_error lease_token lease_until next_attempt_at replaces server_id settled_at state user_id waits_behind',
  },
  delivery_attempt: { rows: 'answer asked asked_at delivery_id id note operator_id took_ms' },
  erased_name: { rest: 'erased_at hash' },
  delivery_collection: { rest: 'asks bought_at collected_at delivery_id next_ask_at waiting' },
  exchange_order: { rest: 'amount bonus_percent created_at delivery_id rate receive user_id' },
  first_gift: { rest: 'delivery_id package_id user_id voided_at' },
  reward: { rest: 'delivery_id given_for user_id voided_at' },
  check_in: { rest: 'day delivery_id user_id' },
  milestone_program: {
    rest: 'claims_max claims_until ends_at id made_at made_by started_at starts_at state stopped_at stopped_by title updated_at',
  },
  milestone_step: { rest: 'at claims goods id program_id' },
  milestone_claim: { rest: 'delivery_id step_id user_id' },
  former_role: { rows: 'granted_at granted_by role taken_at user_id' },
  game_character: { rows: 'class_id head id level name server_id user_id' },
  game_character_fetch: { rows: 'fetched_at user_id' },
  imported_account: { rows: 'game_key imported_at source user_id' },
  'game.characters': {
    erased: 'account name',
    rest: 'class_id created_at head id level luong server_id yen',
  },
  'game.deliveries': { rest: 'at body_hash id reason status' },
  'game.charges': { rest: 'at body_hash character_id id luong reason status' },
  'game.items': { rest: 'character_id code delivery_id expires_at line quantity' },
  game_accounts: { rest: 'are_kept asked_at failing_since failure id kept_at' },
  game_comparison: {
    rest: 'asked failures finished_at id lease_until missing reached_at reached_id server_id since started_at started_by state until',
  },
  give_again_batch: { rest: 'delivery_ids id made_at' },
  missing_delivery: { rest: 'bought_at comparison_id delivery_id server_id' },
  game_name: { rest: 'code kind name short_name updated_at' },
  game_description: { rest: 'collector_seen_at description id read_at tells_collection' },
  gateway_refund: {
    rest: 'amount asked_at asked_by bank_transaction_id decided_at id next_query_at provider_ref queries reason refund_order result_code state',
  },
  idempotency_key: {
    erased: 'response',
    rest: 'answer_erased created_at key request_hash result_id result_type scope status_code',
  },
  installation: { rest: 'name value' },
  known_device: { rows: 'first_seen_at hash kind last_seen_at user_id' },
  ledger_account: { rest: 'balance created_at id kind may_overdraw stripe user_id version' },
  ledger_entry: {
    rest: 'account_id account_version amount balance_after balance_before created_at kind transfer_id',
  },
  ledger_transfer: {
    rest: 'actor_operator_id actor_user_id amount created_at credit_account debit_account id kind request_id reverses_id source_id source_type',
  },
  limited_act: { rest: 'action at coins id operator_id user_id' },
  goods_promise: {
    rest: 'ends_at given_loads given_luong id is_alone kind loads luong operator_id promised_at subject',
  },
  mail_outbox: { rows: 'attempt created_at id kind last_error lease_until next_attempt_at sealed' },
  legal_draft: { rest: 'based_on content kind saved_at user_id' },
  legal_text: { rest: 'content kind published_at published_by version' },
  maintenance: { rest: 'message section until updated_at' },
  matches: {
    rest: 'absent_side called_at id is_void position round team1_id team1_present team1_win_count team2_id team2_present team2_win_count tournament_id updated_at winning_team_id',
  },
  one_time_code: {
    rows: 'channel code_hash made_at spent_at target tries_since tries_today verified_at wrong_tries',
  },
  password_request: { rows: 'created_at id next_attempt_at sealed' },
  password_reset: { rows: 'made_at password_mark sealed_email token_hash user_id' },
  order_purchase: {
    erased: 'character_id character_name',
    rest: 'amount attempt created_at delivery_id next_attempt_at order_id reason receive settled_at state until user_id',
  },
  order_note: { rows: 'author_id created_at id order_id text user_id' },
  help_case: {
    rows: 'about_id about_kind about_title assigned_to closed_at created_at first_answered_at id last_message_at messages state user_id',
  },
  help_message: { rows: 'author_id case_id created_at id is_staff text' },
  help_visitor: { rows: 'case_id channel contact' },
  help_picture: { rows: 'content height id message_id width' },
  answer_template: { rest: 'id text title updated_at' },
  notice: { rows: 'created_at data id kind read_at subject user_id' },
  notice_digest: { rows: 'made_on told_until user_id' },
  notice_preference: { rows: 'by_bell by_mail kind user_id' },
  payment_checkout: {
    rest: 'created_at last_query_at next_query_at order_id pay_url provider provider_order queries request_id state',
  },
  payment_event: {
    rest: 'account_number amount bank_ref bank_transaction_id booked_at direction id processed_at provider provider_event_id reason received_at signature status virtual_account',
  },
  payment_event_body: { rows: 'code event_id full_text memo payer_account raw' },
  payment_event_seal: { rest: 'digest event_id part' },
  payment_order: {
    rest: 'account_name account_number amount bank_bin channel code created_at credited expires_at id paid_at qr rate status user_id',
  },
  payment_provider: { rest: 'name' },
  picture: { rest: 'alt created_at hash height id width' },
  picture_file: { rest: 'content picture_id width' },
  listed_balance: { rest: 'balance user_id' },
  promotion: {
    rest: 'amount budget_id cap_per_player cap_total channel ends_at given id is_first_recharge kind made_at made_by minimum percent started_at starts_at state steps stopped_at stopped_by title updated_at',
  },
  gift_code_batch: {
    rest: 'budget_id codes coins ends_at goods held id made_at made_by per_player server_id started_at starts_at state stopped_at stopped_by title updated_at uses uses_per_code',
  },
  gift_code: { rest: 'batch_id hash id uses uses_max' },
  gift_code_use: { rest: 'batch_id code_id id number per_player used_at user_id' },
  invitation_reward: {
    rest: 'created_at decided_at decided_by due_at invited_coins invited_id inviter_coins inviter_id month number per_month reasons state',
  },
  promotion_use: { rest: 'amount cap promotion_id user_id' },
  order_bonus: {
    rest: 'created_at granted held hold_until id is_first_recharge order_id promised promotion_id reversals state transfer_id user_id',
  },
  budget: { rest: 'account_id funded id made_at made_by title' },
  planned_price: {
    rest: 'after approved_by before closed_at ends_at id planned_at planned_by reason setting started_at starts_at state',
  },
  player_note: { rows: 'author_id created_at id text user_id' },
  post_categories: { rest: 'category_id post_id' },
  post_draft: { rest: 'based_on pictures post_id saved_at state user_id' },
  post_revision: { rest: 'pictures post_id revision saved_at saved_by state' },
  post_view: { rest: 'day post_id visitor' },
  posts: {
    rest: 'content cover created_at excerpt id is_new is_pinned is_published pictures publish_at title updated_at views words',
  },
  proposal: {
    rest: 'decided_at decided_by decision_reason id kind payload proposed_at proposed_by reason state subject takes_effect_at',
  },
  backup_run: { rest: 'error failing_since kind succeeded_at' },
  client_error: {
    rest: 'engines fingerprint first_seen handled_at id is_new kind last_seen message pages place release site times',
  },
  failed_work: { rest: 'error failing_since failures job retry_at subject' },
  proposal_agreement: { rest: 'at operator_id proposal_id reason' },
  push_key: { rest: 'is_only public_key sealed_private_key' },
  push_message: { rest: 'attempt created_at next_attempt_at notice_id subscription_id' },
  push_subscription: { rows: 'auth created_at endpoint failures id p256dh session_id user_id' },
  provider_list: { rest: 'account_number provider read_at since_id' },
  ranking_day_entries: {
    erased: 'name',
    rest: 'class_id class_rank day group_id level rank server_class_rank server_id server_rank user_id value',
  },
  ranking_days: { rest: 'class_ids day group_id taken_at' },
  ranking_entries: {
    erased: 'name',
    rest: 'class_id class_rank group_id level rank server_class_rank server_id server_rank user_id value',
  },
  ranking_groups: {
    rest: 'board claimed_run claimed_until description ends_on has_board_name id name position recharge_period server_id source starts_on updated_at value_name',
  },
  ranking_nickname: { rows: 'changed_at nickname nickname_key skeleton user_id' },
  ranking_snapshots: { rest: 'class_ids group_id taken_at' },
  // For seconds, while a ranking is read.
  ranking_staging: { rest: 'account class_id group_id level name run server_id value' },
  rate_limit: { rest: 'expire key points' },
  recharge_claim: {
    erased: 'bank_reference message',
    rest: 'amount answered_at answered_by bank_transaction_id created_at id paid_at status user_id',
  },
  recharge_claim_note: { rows: 'claim_id note' },
  recharge_claim_picture: { rows: 'claim_id content created_at height id width' },
  reconciliation_run: { rest: 'asked_at asked_by finished_at found id origin rules took_ms' },
  reconciliation_task: { rest: 'claimed_until due_at name' },
  recovery_code: { rows: 'code_hash used_at user_id' },
  saved_filter: { rows: 'id list name query user_id' },
  second_factor: { rows: 'confirmed_at last_step made_at sealed_secret user_id' },
  servers: { rest: 'id name position updated_at' },
  sessions: {
    rows: 'created_at expires_at id kind last_used_at place step_up_at token_hash user_agent user_id',
  },
  settings: { rest: 'key updated_at value' },
  sign_in: { rows: 'at id is_new_device origin_hash outcome place user_agent user_id' },
  sms_code_day: { rest: 'day prefix sent verified' },
  sms_message: { rows: 'message_id outcome provider received_at sealed_reply sender' },
  staff_invite: {
    rest: 'created_at expires_at id invited_by is_waiting role token_hash used_at used_by withdrawn_at withdrawn_by',
  },
  statistics_active: { rest: 'period players start' },
  statistics_active_player: { rest: 'period start user_id' },
  statistics_hour: {
    rest: 'acb_vnd computed_at debts_change deliveries first_recharges has_parts held_change hour issued luong momo_vnd money_back_vnd new_players other_vnd refunded spent unmatched_age_s vietcombank_vnd wallets_change',
  },
  statistics_part: { rest: 'amount dimension hour part' },
  statistics_payer: { rest: 'first_week hour payers previous_day vnd' },
  statistics_turn: { rest: 'id' },
  stored_check: {
    rest: 'checked_at faults first_fault first_place name started_at verified_seal whole_at',
  },
  team_invitations: { rows: 'created_at state team_id tournament_id user_id' },
  team_members: {
    erased: 'character_id character_name user_id',
    rest: 'class_id is_substitute level position server_id team_id tournament_id',
  },
  teams: {
    erased: 'name skeleton',
    rest: 'captain_id checked_in_at created_at draw_position held_until id seed state tournament_id withdrawn_at withdrawn_for',
  },
  tournament_charges: {
    erased: 'account character_id',
    rest: 'applied_at attempts created_at id luong next_attempt_at reason refunded_at server_id state team_id tournament_id user_id',
  },
  tournament_follower: { rows: 'created_at told_at tournament_id user_id' },
  tournament_reminder: { rows: 'created_at tournament_id user_id' },
  tournament_draw: { rest: 'chain closed_at list list_digest round signature tournament_id' },
  tournament_events: { rest: 'at before change kind number operator_id tournament_id undone_by' },
  tournaments: {
    rest: 'allowed_classes cancelled_at cancelled_told_to check_in_minutes closed_at competition_start_at created_at current_round draw_commitment draw_secret draw_seed drawn_at drawn_list fee fee_payer finished_at how_to_register id max_level max_round min_level mode name opened_at paused_at prize registration_start_at reveal_from revealed server_id substitutes type updated_at winning_team_id',
  },
  user_contacts: { rows: 'email email_verified_at phone phone_verified_at user_id' },
  user_roles: { rest: 'granted_at granted_by role user_id' },
  users: {
    erased:
      'username username_key password_hash referrer_id ban_until ban_reason sign_in_ban_until sign_in_ban_reason',
    rest: 'created_at erased_at id server_id wallet_account_id',
  },
}
