-- The device group's id in plain SQL, with uuid-ossp for the hash and nothing of arbiter.
CREATE EXTENSION IF NOT EXISTS "uuid-ossp" SCHEMA public;
CREATE FUNCTION public.device_group_id(organization_id uuid, serial_numbers text[]) RETURNS uuid
    LANGUAGE sql IMMUTABLE AS $$
    -- UTF-16 order over code points: U+10FFFF in front of what ends the BMP sorts it behind the rest.
    SELECT public.uuid_generate_v5('6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11', organization_id || ':'
        || array_to_json(COALESCE(array_agg(serial ORDER BY
               regexp_replace(serial, '([\uE000-\uFFFF])', U&'\+10FFFF\\1', 'g') COLLATE "C"), '{}'))::text)
      FROM (SELECT DISTINCT translate(btrim(given, E'\t\n\u000B\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
                        '\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'),
                   'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') COLLATE "C" AS serial
              FROM unnest(serial_numbers) AS given) AS normal
     WHERE serial <> ''
$$;
