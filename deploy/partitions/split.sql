-- The entries of the ledger in 16 partitions by the hash of their account, sign-ins in one for each month.

SELECT pg_temp.rebuild('ledger_entry', 'PARTITION BY HASH (account_id)',
  (SELECT array_agg(format('CREATE TABLE ledger_entry_%s PARTITION OF ledger_entry
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', lpad(n::text, 2, '0'), n)) FROM generate_series(0, 15) AS n),
  '{}');

-- Three years ahead; later rows, and those of longer ago than a quarter, lie in the last one.
SELECT pg_temp.rebuild('sign_in', 'PARTITION BY RANGE (at)',
  (SELECT array_agg(format('CREATE TABLE sign_in_%s PARTITION OF sign_in FOR VALUES FROM (%L) TO (%L)',
            to_char(month, 'YYYY_MM'), month, month + interval '1 month'))
     FROM generate_series(date_trunc('month', now(), 'UTC') - interval '4 months',
                          date_trunc('month', now(), 'UTC') + interval '36 months', interval '1 month') AS month)
    || 'CREATE TABLE sign_in_rest PARTITION OF sign_in DEFAULT'::text,
  '{"PRIMARY KEY (id)": "PRIMARY KEY (id, at)"}');
