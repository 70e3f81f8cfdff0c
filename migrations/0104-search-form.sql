-- expand
-- What operators search by, as they may type it: small letters without marks, one blank between words, nothing unseen. The
-- same as `searchForm` (contract/search-form.ts).
CREATE FUNCTION search_form(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql SET search_path = pg_catalog
RETURN lower(translate(
  btrim(regexp_replace(
    regexp_replace(normalize($1, NFD), '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'),
    '\s+', ' ', 'g')),
  'Đđ', 'dd'));
