BEGIN TRANSACTION;
CREATE TABLE dialogue_buffer (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	owner VARCHAR(64) NOT NULL, 
	entry VARCHAR(64) NOT NULL, 
	session VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, parked VARCHAR(40), 
	UNIQUE (owner, entry)
);
INSERT INTO "dialogue_buffer" VALUES(1,'24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','04ef1074a9421bb52152993573da6356c845e5fcac263e52154b91ef24489d6d','628b49d96dcde97a430dd4f597705899e09a968f793491e4b704cae33a40dc02','{"id": "dlg_890b27f8d816f38b08279f7e8004084b", "owner_id": "ana", "session_id": "t1", "user_query": "what do I drink?", "assistant_response": "tea", "turn": 1, "message_ids": [], "created_at": "2026-05-01T12:00:00Z"}',NULL);
CREATE TABLE embedding_cache (
	embedder VARCHAR(64) NOT NULL, 
	text VARCHAR(64) NOT NULL, 
	vector BLOB NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (embedder, text)
);
CREATE TABLE extraction_runs (
	id VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	session VARCHAR(64) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	document TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "extraction_runs" VALUES('4af2efe23e7749dd885d4989e9effd0b','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','628b49d96dcde97a430dd4f597705899e09a968f793491e4b704cae33a40dc02','running','{"id": "4af2efe23e7749dd885d4989e9effd0b", "owner_id": "ana", "session_id": "t1", "round_ids": ["d1"], "state": "running", "failures": 0, "facts": 0, "error": null, "started_at": "2026-11-16T12:42:16.690298Z", "ended_at": null}',1794832936690298);
CREATE TABLE memories (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	owner_id TEXT NOT NULL, 
	memory_type VARCHAR(20) NOT NULL, 
	content JSON NOT NULL, 
	status VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (owner, memory_type)
);
INSERT INTO "memories" VALUES('36716486-d9cd-4ede-9ecf-aee8d5e1bba6','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','"ana"','user','{"occupation": null, "timezone": null, "primary_language": null, "people": [], "places": [], "preferences": {"communication_style": null, "language_preference": [], "location_preference": null, "work_lifestyle": null, "notification_preference": []}, "scheduling_preferences": {"productive_windows": [], "preferred_meeting_windows": [], "no_meeting_windows": [], "deep_work_windows": [], "preferred_meeting_duration_minutes": [], "meeting_buffer_minutes": null, "max_meetings_per_day": null, "notes": null}, "interests": [], "avoid_topics": [], "custom_rules": [], "recurring_routines": []}','active',1,1794832936687377,1794832936687377);
INSERT INTO "memories" VALUES('28c4d065-d69c-4ac3-98f4-e195dfca591d','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','"ana"','work','{"occupation": null, "expertise": [], "preferred_tools": [], "current_projects": [], "work_habits": {"available_hours": [], "deep_work_blocks": [], "preferred_meeting_windows": [], "no_meeting_windows": [], "preferred_meeting_duration_minutes": [], "notification_channel": null, "notes": null}, "team_members": [], "team_context": null, "work_rules": []}','active',1,1794832936687377,1794832936687377);
CREATE TABLE memory_experience (
	id VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	entry VARCHAR(64) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	subject VARCHAR(64), 
	outcome VARCHAR(20), 
	importance FLOAT NOT NULL, 
	happened_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (owner, kind, entry), 
	FOREIGN KEY(id) REFERENCES store_items (id) ON DELETE CASCADE
);
CREATE TABLE memory_links (
	origin VARCHAR(40) NOT NULL, 
	target VARCHAR(64) NOT NULL, 
	relation VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	strength FLOAT NOT NULL, 
	PRIMARY KEY (origin, target, relation), 
	FOREIGN KEY(origin) REFERENCES store_items (id) ON DELETE CASCADE
);
CREATE TABLE memory_records (
	id VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	record VARCHAR(64) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	address VARCHAR(64), 
	source VARCHAR(64), 
	thread VARCHAR(64), 
	turn BIGINT, 
	pinned INTEGER NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (owner, record), 
	FOREIGN KEY(id) REFERENCES store_items (id) ON DELETE CASCADE
);
INSERT INTO "memory_records" VALUES('ab6ccc591439f2c5918072ad49e9862887abf1fe','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','1b5247897f7cbfafeabb9cdaafa8200eb833c2520297cf24b9a419113c371be1','fact','active','1220704b0b4019fa26761bdb780ab7bc94a36515b47ed226fd8355122aa84672',NULL,NULL,NULL,0,1777636800000000);
CREATE TABLE memory_tombstones (
	owner VARCHAR(64) NOT NULL, 
	mark VARCHAR(64) NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (owner, mark)
);
CREATE TABLE memory_turns (
	seq INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	entry VARCHAR(64) NOT NULL, 
	thread VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	happened_at BIGINT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (owner, entry)
);
CREATE TABLE memory_usage_log (
	seq INTEGER NOT NULL, 
	memory VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	turn VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	was_referenced INTEGER NOT NULL, 
	used_at BIGINT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (memory, turn), 
	FOREIGN KEY(memory) REFERENCES memory_records (id) ON DELETE CASCADE
);
INSERT INTO "memory_usage_log" VALUES(1,'ab6ccc591439f2c5918072ad49e9862887abf1fe','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','974cad2dd603827b06e9e6affa3de03db5af2c12c045db679a7b1bef42b41a1c','{"memory_id": "mem_05891dd7a730a25045c6f91fd80ca234", "session_id": "t1", "query": "q", "was_referenced": true, "used_at": "2026-05-01T12:00:00Z"}',1,1777636800000000);
CREATE TABLE memory_weights (
	id VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	weight FLOAT NOT NULL, 
	access_count BIGINT NOT NULL, 
	last_accessed BIGINT, changed_at BIGINT, base FLOAT, based_at BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES memory_records (id) ON DELETE CASCADE
);
INSERT INTO "memory_weights" VALUES('ab6ccc591439f2c5918072ad49e9862887abf1fe','24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac',1.5,1,1777636800000000,1777636800000000,1.5,1777636800000000);
CREATE TABLE profile_fields (
	owner VARCHAR(64) NOT NULL, 
	memory_type VARCHAR(20) NOT NULL, 
	place VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (owner, memory_type, place)
);
CREATE TABLE profile_history (
	owner VARCHAR(64) NOT NULL, 
	memory_type VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	document TEXT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	PRIMARY KEY (owner, memory_type, version)
);
CREATE TABLE short_term_items (
	seq INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	thread VARCHAR(64) NOT NULL, 
	entry VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (owner, thread, entry)
);
INSERT INTO "short_term_items" VALUES(1,'24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac','628b49d96dcde97a430dd4f597705899e09a968f793491e4b704cae33a40dc02','e8bc163c82eee18733288c7d4ac636db3a6deb013ef2d37b68322be20edc45cc','{"id": "s1", "content": "tea", "turn": null, "compressed": false, "created_at": "2026-05-01T12:00:00Z"}');
CREATE TABLE store_changes (
	seq INTEGER NOT NULL, 
	id VARCHAR(40) NOT NULL, 
	path TEXT NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "store_changes" VALUES(1,'ab6ccc591439f2c5918072ad49e9862887abf1fe','75c374cb4cf3cb2dd5f9db2624d4b96f58da6d4a8512313b1e7dc6d6c16565406afd121a');
CREATE TABLE store_items (
	id VARCHAR(40) NOT NULL, 
	path TEXT NOT NULL, 
	ns TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	fields TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	ttl FLOAT, 
	terms TEXT, 
	vectors BLOB, 
	PRIMARY KEY (id)
);
INSERT INTO "store_items" VALUES('ab6ccc591439f2c5918072ad49e9862887abf1fe','75c374cb4cf3cb2dd5f9db2624d4b96f58da6d4a8512313b1e7dc6d6c16565406afd121a','["memories", "ana", "fact"]','"mem_05891dd7a730a25045c6f91fd80ca234"','{"id": "mem_05891dd7a730a25045c6f91fd80ca234", "owner_id": "ana", "kind": "fact", "content": "Ana drinks tea", "tags": [], "confidence": 1.0, "importance": 0.5, "state": "active", "pinned": false, "subject": "user", "attribute": "drink", "links": [], "source": null, "trust": "user", "provenance": {"thread_id": null, "turn": null, "message_ids": []}, "valid_from": null, "valid_to": null, "created_at": "2026-05-01T12:00:00Z", "updated_at": "2026-05-01T12:00:00Z"}','"record"',1794832936685302,1794832936685302,NULL,NULL,'ana drink tea user drink',NULL);
CREATE TABLE store_meta (
	name VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "store_meta" VALUES('schema_version','2');
INSERT INTO "store_meta" VALUES('store','"566dc376aabf"');
CREATE TABLE store_namespaces (
	path TEXT NOT NULL, 
	ns TEXT NOT NULL, 
	PRIMARY KEY (path)
);
INSERT INTO "store_namespaces" VALUES('75c374cb4cf3cb2dd5f9db2624d4b96f58da6d4a8512313b1e7dc6d6c16565406afd121a','["memories", "ana", "fact"]');
CREATE TABLE thread_summaries (
	owner VARCHAR(64) NOT NULL, 
	thread VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (owner, thread)
);
CREATE INDEX ix_items_expiry ON store_items (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_items_path ON store_items (path, updated_at);
CREATE INDEX ix_embeddings_age ON embedding_cache (made_at);
CREATE INDEX ix_short_term_thread ON short_term_items (owner, thread, seq);
CREATE INDEX ix_buffer_session ON dialogue_buffer (owner, session, seq);
CREATE INDEX ix_runs_state ON extraction_runs (owner, state, started_at);
CREATE INDEX ix_records_address ON memory_records (owner, address);
CREATE INDEX ix_records_thread ON memory_records (owner, thread, turn);
CREATE INDEX ix_records_state ON memory_records (owner, state, updated_at);
CREATE INDEX ix_experience_subject ON memory_experience (owner, kind, subject);
CREATE INDEX ix_experience_time ON memory_experience (owner, kind, happened_at);
CREATE INDEX ix_links_target ON memory_links (owner, target);
CREATE INDEX ix_weights_owner ON memory_weights (owner, weight);
CREATE INDEX ix_usage_time ON memory_usage_log (owner, used_at);
CREATE INDEX ix_turns_thread ON memory_turns (owner, thread, seq);
CREATE INDEX ix_turns_time ON memory_turns (owner, happened_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('dialogue_buffer',1);
COMMIT;
