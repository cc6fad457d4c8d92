-- A large directory: psql variables users, groups, memberships and constraints say how large.
-- Triggers are for single changes; a million rows at once need neither their audit nor their announcements.
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '1GB';
\set QUIET on
\pset tuples_only on

-- Indexes are quicker made at the end. What can be spared the log is only read later.
alter table directory.memberships set unlogged;
alter table directory.constraints set unlogged;
create temp table later as
  select indexname, indexdef from pg_indexes
  where schemaname = 'directory' and tablename in ('users', 'groups', 'memberships', 'constraints', 'audit')
    and indexname not in (select conname from pg_constraint);
select format('drop index directory.%I', indexname) from later \gexec

insert into directory.users (login, login_key, email, email_key)
select 'user' || n, 'user' || n, 'user' || n || '@example.test', 'user' || n || '@example.test'
from generate_series(1, :users) n;

insert into directory.groups (name, name_key)
select 'group' || n, 'group' || n from generate_series(1, :groups) n;

-- Every user is in as many groups as every other, spread by two large primes so that neighbours share few.
insert into directory.memberships (user_id, group_id)
select u.id, 1 + ((u.id * 7919 + k * 104729) % :groups)
from directory.users u, generate_series(1, :memberships / :users) k
where u.login_key like 'user%';

-- Half of the constraints are groups', half users' own.
insert into directory.constraints (group_id, effect, kind, value)
select 1 + (n % :groups), (array['grant', 'limit', 'deny'])[1 + n % 3], 'host-ports',
  jsonb_build_object('ports', jsonb_build_array(jsonb_build_object('start', 1024 + n % 60000, 'end', 1124 + n % 60000)))
from generate_series(1, :constraints / 2) n;

insert into directory.constraints (user_id, effect, kind, value)
select u.id, 'limit', 'images', '{"patterns": ["docker.io/library/*"]}'
from directory.users u, generate_series(1, greatest(:constraints / 2 / :users, 1)) k
where u.login_key like 'user%';

-- Beside that, for lists of many pages: a group of a tenth of all users and one of many constraints.
insert into directory.groups (name, name_key) values ('crowd', 'crowd'), ('rules', 'rules');
insert into directory.memberships (user_id, group_id)
select u.id, g.id from directory.users u, directory.groups g where u.id % 10 = 0 and g.name_key = 'crowd';
insert into directory.constraints (group_id, effect, kind, value)
select g.id, 'limit', 'images', '{"patterns": ["docker.io/library/*"]}'
from directory.groups g, generate_series(1, 10000) where g.name_key = 'rules';
insert into directory.audit (actor, action, target, after)
select 1, 'user.create', 'user/' || u.id, jsonb_build_object('id', u.id, 'login', u.login) from directory.users u;

select indexdef from later \gexec
vacuum analyze;
