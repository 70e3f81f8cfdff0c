-- expand

-- What two people gave players in the last 24 hours is summed at each approval.
CREATE INDEX proposal_approved_adjustment ON proposal (decided_at) WHERE kind = 'adjustment' AND state = 'approved';
