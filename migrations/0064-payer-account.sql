-- expand
-- The account that money came from, as far as what the bank wrote names one ("CT tu 0451000123456 NGUYEN VAN A toi …"): who
-- was credited with money from it before is suggested for the next transfer.

CREATE FUNCTION payer_account(memo text, full_text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(memo || ' ' || full_text FROM '(?i)\m(?:tu|from)\W{1,3}(?:tk|stk|account)?\W{0,3}([0-9]{6,19})\M');
