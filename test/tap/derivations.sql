SELECT arbiter.create_store('derive');
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11',
    '[{"name":"organization_id","type":"uuid"},{"name":"serial_numbers","type":"text[]",
       "each":["trim_js25","lower_ascii","drop_empty"],"set":["dedup","sort_utf16"]}]',
    '[{"args":{"organization_id":"3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":["B","A","a ","\tb"]},
       "uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df","origin":"node 20, npm uuid 9"}]', 'prefix');
SELECT arbiter.create_derivation('derive', 'text_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c17',
    '[{"name":"key","type":"text"}]',
    '[{"args":{"key":"é"},"uuid":"7fc3fb8c-4f5a-56a7-b7e2-bba670c781b1","origin":"python 3.11 uuid"}]', 'prefix');
