-- expand
-- The words of a post for its search: in small letters, without marks and tags.

ALTER TABLE posts ADD words tsvector GENERATED ALWAYS AS (
  to_tsvector('simple', lower(translate(
    regexp_replace(
      normalize(title || ' ' || excerpt || ' ' || regexp_replace(content, '<[^>]*>', ' ', 'g'), NFD),
      '[\u0300-\u036f]', '', 'g'),
    'Đđ', 'dd')))
) STORED;
