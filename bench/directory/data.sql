-- A large directory: psql variables users, groups, memberships and constraints say how large.
-- Triggers are for single changes; a million rows at once need neither their audit nor their announcements.
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '512MB';

insert into directory.users (login, login_key, email, email_key)
select 'user' || n, 'user' || n, 'user' || n || '@example.test', 'user' || n || '@example.test'
from generate_series(1, :users) n;

insert into directory.groups (name, name_key)
select 'group' || n, 'group' || n from generate_series(1, :groups) n;

-- Every user is in as many groups as every other, spread by two large primes so that neighbours share few.
insert into directory.memberships (user_id, group_id)
select u.id, 1 + ((u.id * 7919 + k * 104729) % :groups)
from directory.users u, generate_series(1, :memberships / :users) k
where u.login_key like 'user%'
on conflict do nothing;

-- Half of the constraints are groups', half users' own.
insert into directory.constraints (group_id, effect, kind, value)
select 1 + (n % :groups), (array['grant', 'limit', 'deny'])[1 + n % 3], 'host-ports',
  jsonb_build_object('ports', jsonb_build_array(jsonb_build_object('start', 1024 + n % 60000, 'end', 1124 + n % 60000)))
from generate_series(1, :constraints / 2) n;

insert into directory.constraints (user_id, effect, kind, value)
select u.id, 'limit', 'images', '{"patterns": ["docker.io/library/*"]}'
from directory.users u, generate_series(1, greatest(:constraints / 2 / :users, 1)) k
where u.login_key like 'user%';

vacuum analyze;
