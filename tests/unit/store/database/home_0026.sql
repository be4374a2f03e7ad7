BEGIN TRANSACTION;
CREATE TABLE access_entries (
	kind TEXT NOT NULL, 
	target TEXT NOT NULL, 
	grantee_kind TEXT NOT NULL, 
	grantee TEXT NOT NULL, 
	granted_by TEXT NOT NULL, 
	granted_at BIGINT NOT NULL, 
	PRIMARY KEY (kind, target, grantee_kind, grantee)
);
INSERT INTO "access_entries" VALUES('document','d582bda0f5ab1ef534b37','everybody','','ingest',1796006040026536);
CREATE TABLE account_groups (
	name TEXT NOT NULL, 
	note TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE accounts (
	name TEXT NOT NULL, 
	display TEXT NOT NULL, 
	password TEXT NOT NULL, 
	identity TEXT, 
	disabled BOOLEAN NOT NULL, 
	must_change BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	signed_in_at BIGINT, 
	PRIMARY KEY (name), 
	UNIQUE (identity)
);
INSERT INTO "accounts" VALUES('root','root','$argon2id$hash',NULL,0,0,1796006040209066,1796006040209066,NULL);
CREATE TABLE acl_groups (
	group_name TEXT NOT NULL, 
	access TEXT NOT NULL, 
	PRIMARY KEY (group_name, access)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0026');
CREATE TABLE annotation_cells (
	document TEXT NOT NULL, 
	table_no INTEGER NOT NULL, 
	row_no INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	"column" TEXT NOT NULL, 
	name TEXT NOT NULL, 
	type TEXT NOT NULL, 
	text TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	amount BIGINT, 
	unit TEXT NOT NULL, 
	special TEXT NOT NULL, 
	normal TEXT NOT NULL, 
	original TEXT NOT NULL, 
	page_no INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	PRIMARY KEY (document, table_no, row_no, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
CREATE TABLE annotation_columns (
	document TEXT NOT NULL, 
	table_no INTEGER NOT NULL, 
	"column" TEXT NOT NULL, 
	name TEXT NOT NULL, 
	rows INTEGER NOT NULL, 
	PRIMARY KEY (document, table_no, "column"), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE annotation_rows (
	document TEXT NOT NULL, 
	table_no INTEGER NOT NULL, 
	row_no INTEGER NOT NULL, 
	version INTEGER NOT NULL, is_total BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (document, table_no, row_no), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
CREATE TABLE annotation_titles (
	document TEXT NOT NULL, 
	table_no INTEGER NOT NULL, 
	sheet TEXT NOT NULL, 
	caption TEXT NOT NULL, 
	PRIMARY KEY (document, table_no), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE answer_feedback (
	trace TEXT NOT NULL, 
	citation INTEGER NOT NULL, 
	account TEXT NOT NULL, 
	word TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	note TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (trace, citation, account)
);
CREATE TABLE api_tokens (
	id TEXT NOT NULL, 
	account TEXT NOT NULL, 
	name TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	scopes JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	used_at BIGINT, 
	revoked_at BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (name) ON DELETE CASCADE
);
CREATE TABLE audit_entries (
	sequence BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	deed TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	account TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	trace TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	nonce TEXT NOT NULL, 
	content TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (sequence)
);
CREATE TABLE audit_head (
	id INTEGER NOT NULL, 
	sequence BIGINT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "audit_head" VALUES(1,0,'');
CREATE TABLE browser_sessions (
	id TEXT NOT NULL, 
	account TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	previous TEXT, 
	previous_until BIGINT, 
	rotated_at BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	used_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	address TEXT NOT NULL, 
	browser TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (name) ON DELETE CASCADE, 
	UNIQUE (secret), 
	UNIQUE (previous)
);
CREATE TABLE buckets (
	name TEXT NOT NULL, 
	created_at BIGINT NOT NULL, promise TEXT DEFAULT 'balanced' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "buckets" VALUES('b',1796006039871763,'balanced');
CREATE TABLE cell_reviews (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	document TEXT NOT NULL, 
	field TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	user TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	"before" JSON NOT NULL, 
	"after" JSON NOT NULL, 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "cell_reviews" VALUES(1,'d582bda0f5ab1ef534b37','law',1,'absent','carol',1767225600000000,'["uncertain",[],[],0.5,"head",[[["text","Ohio",null,"","Ohio"],[],0.6,"head"]],""]','["absent",[],[],1.0,"reviewer",[],""]');
CREATE TABLE changes (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	document TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	at BIGINT NOT NULL
);
INSERT INTO "changes" VALUES(1,'de8d0d0d82cd5856e3430','published',1796006039871763);
INSERT INTO "changes" VALUES(2,'d582bda0f5ab1ef534b37','published',1796006040026536);
INSERT INTO "changes" VALUES(4,'d582bda0f5ab1ef534b37','reviewed',1767225600000000);
CREATE TABLE claim_verdicts (
	item TEXT NOT NULL, 
	claim INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	verdict TEXT NOT NULL, 
	note TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (item, claim, reviewer), 
	FOREIGN KEY(item) REFERENCES review_items (id) ON DELETE CASCADE
);
CREATE TABLE clauses (
	document TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	title TEXT NOT NULL, 
	page_no INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	section JSON NOT NULL, 
	conditions JSON NOT NULL, 
	confidence FLOAT NOT NULL, 
	PRIMARY KEY (document, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE conversations (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	title TEXT NOT NULL, 
	buckets JSON NOT NULL, 
	turns INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, cleared INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE crawl_runs (
	crawl TEXT NOT NULL, 
	run INTEGER NOT NULL, 
	job TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	ended_at BIGINT, 
	counts JSON NOT NULL, 
	samples JSON NOT NULL, spells JSON DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (crawl, run), 
	FOREIGN KEY(crawl) REFERENCES crawls (id) ON DELETE CASCADE
);
CREATE TABLE crawl_urls (
	crawl TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	url TEXT NOT NULL, 
	host TEXT NOT NULL, 
	pattern TEXT NOT NULL, 
	run INTEGER NOT NULL, 
	depth INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	found_on TEXT NOT NULL, 
	leads_to TEXT NOT NULL, 
	hops INTEGER NOT NULL, 
	status INTEGER, 
	media_type TEXT NOT NULL, 
	title TEXT NOT NULL, 
	size_bytes BIGINT NOT NULL, 
	content_hash TEXT NOT NULL, 
	text_hash TEXT NOT NULL, 
	etag TEXT NOT NULL, 
	last_modified TEXT NOT NULL, 
	change TEXT NOT NULL, 
	document TEXT, 
	indexed_hash TEXT NOT NULL, 
	requests INTEGER NOT NULL, 
	repeats INTEGER NOT NULL, 
	not_before BIGINT, 
	fetched_at BIGINT, 
	PRIMARY KEY (crawl, "key"), 
	FOREIGN KEY(crawl) REFERENCES crawls (id) ON DELETE CASCADE
);
CREATE TABLE crawls (
	id TEXT NOT NULL, 
	title TEXT NOT NULL, 
	user TEXT NOT NULL, 
	request JSON NOT NULL, 
	pace JSON NOT NULL, 
	bucket TEXT NOT NULL, 
	is_dry_run BOOLEAN NOT NULL, 
	run INTEGER NOT NULL, 
	level INTEGER NOT NULL, 
	job TEXT, 
	runner TEXT NOT NULL, 
	is_stopping BOOLEAN NOT NULL, 
	bases JSON NOT NULL, 
	schedule TEXT NOT NULL, 
	next_at BIGINT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE document_versions (
	document TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	content_hash TEXT NOT NULL, 
	title TEXT NOT NULL, 
	status TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	doc_type TEXT NOT NULL, 
	media_type TEXT NOT NULL, 
	language TEXT NOT NULL, 
	pages INTEGER NOT NULL, 
	passages INTEGER NOT NULL, 
	size_bytes BIGINT NOT NULL, 
	metadata JSON NOT NULL, 
	links JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	seen_at BIGINT NOT NULL, 
	PRIMARY KEY (document, version), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "document_versions" VALUES('de8d0d0d82cd5856e3430',1,'2e39f1978c0226c5e6f90abb06dee221f301b04eccaed66ffc29a20a53396e68','Title of a.txt','ready','','contract','text/plain','en',1,1,37,'{"author":"A"}','[["pdf","other.pdf",1]]',1796006039871763,1796006039871763);
INSERT INTO "document_versions" VALUES('d582bda0f5ab1ef534b37',1,'f72604e383d10b5d9ab667b29c6c45cff3a8aff9cdda6e54af957e9aa21c647c','Title of b.txt','ready','','contract','text/plain','en',1,0,11,'{"author":"A"}','[["pdf","other.pdf",1]]',1796006040026536,1796006040026536);
CREATE TABLE documents (
	id TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	source TEXT NOT NULL, 
	title TEXT NOT NULL, 
	status TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	doc_type TEXT NOT NULL, 
	media_type TEXT NOT NULL, 
	language TEXT NOT NULL, 
	acl JSON NOT NULL, 
	access TEXT NOT NULL, 
	pages INTEGER NOT NULL, 
	passages INTEGER NOT NULL, 
	size_bytes BIGINT NOT NULL, 
	content_hash TEXT NOT NULL, 
	failed_hash TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	search_text TEXT NOT NULL, name TEXT DEFAULT '' NOT NULL, is_named_by_hand BOOLEAN DEFAULT 0 NOT NULL, identity JSON, 
	PRIMARY KEY (id), 
	FOREIGN KEY(bucket) REFERENCES buckets (name)
);
INSERT INTO "documents" VALUES('de8d0d0d82cd5856e3430','b','a.txt','Title of a.txt','ready','',1,'contract','text/plain','en','[]','',1,1,37,'2e39f1978c0226c5e6f90abb06dee221f301b04eccaed66ffc29a20a53396e68','',1796006039871763,1796006039871763,'title of a.txt
a.txt','Title of a.txt',0,NULL);
INSERT INTO "documents" VALUES('d582bda0f5ab1ef534b37','b','b.txt','Title of b.txt','ready','',1,'contract','text/plain','en','[]','',1,0,11,'f72604e383d10b5d9ab667b29c6c45cff3a8aff9cdda6e54af957e9aa21c647c','',1796006040026536,1796006040026536,'title of b.txt
b.txt','Title of b.txt',0,NULL);
CREATE TABLE evaluation_cases (
	id TEXT NOT NULL, 
	question TEXT NOT NULL, 
	item TEXT NOT NULL, 
	"case" JSON NOT NULL, 
	account TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (question)
);
CREATE TABLE extraction_state (
	document TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	fingerprint TEXT NOT NULL, 
	schema TEXT NOT NULL, 
	family TEXT NOT NULL, 
	notes JSON NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (document), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "extraction_state" VALUES('d582bda0f5ab1ef534b37',1,'f1','contracts','','[]',1796006040060714);
CREATE TABLE family_marks (
	document TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	title TEXT NOT NULL, 
	day TEXT NOT NULL, 
	PRIMARY KEY (document), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE family_references (
	document TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	bucket TEXT NOT NULL, 
	kinship TEXT NOT NULL, 
	title TEXT NOT NULL, 
	day TEXT NOT NULL, 
	page_no INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	PRIMARY KEY (document, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE field_cells (
	document TEXT NOT NULL, 
	field TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	extracted_version INTEGER NOT NULL, 
	schema TEXT NOT NULL, 
	type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	confidence FLOAT NOT NULL, 
	probability FLOAT NOT NULL, 
	method TEXT NOT NULL, 
	note TEXT NOT NULL, 
	value JSON NOT NULL, 
	spans JSON NOT NULL, 
	candidates JSON NOT NULL, 
	reviewed_by TEXT, 
	reviewed_at BIGINT, 
	is_reviewed BOOLEAN NOT NULL, 
	check_again BOOLEAN NOT NULL, 
	extracted JSON, 
	event INTEGER NOT NULL, 
	PRIMARY KEY (document, field), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "field_cells" VALUES('d582bda0f5ab1ef534b37','fee','b',1,1,'contracts','money','present',0.97,0.97,'pattern','','[["money","5.00",50000,"USD","5.00 USD"]]','[]','[]',NULL,NULL,0,0,NULL,0);
INSERT INTO "field_cells" VALUES('d582bda0f5ab1ef534b37','law','b',1,1,'contracts','','absent',1.0,1.0,'reviewer','','[]','[]','[]','carol',1767225600000000,1,0,'["uncertain",[],[],0.5,"head",[[["text","Ohio",null,"","Ohio"],[],0.6,"head"]],""]',1);
CREATE TABLE field_guesses (
	document TEXT NOT NULL, 
	field TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	type TEXT NOT NULL, 
	text TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	amount BIGINT, 
	unit TEXT NOT NULL, 
	special TEXT NOT NULL, 
	probability FLOAT NOT NULL, 
	readings JSON NOT NULL, 
	PRIMARY KEY (document, field), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE field_models (
	id TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	figures JSON NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	artefact BLOB NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE field_thresholds (
	bucket TEXT NOT NULL, 
	field TEXT NOT NULL, 
	absent_below FLOAT NOT NULL, 
	present_from FLOAT NOT NULL, 
	set_by TEXT NOT NULL, 
	set_at BIGINT NOT NULL, 
	PRIMARY KEY (bucket, field)
);
CREATE TABLE field_values (
	document TEXT NOT NULL, 
	field TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	text TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	amount BIGINT, 
	unit TEXT NOT NULL, 
	special TEXT NOT NULL, 
	PRIMARY KEY (document, field, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "field_values" VALUES('d582bda0f5ab1ef534b37','fee',0,'money','5.00','5.00','5.00',50000,'USD','');
CREATE TABLE financials (
	document TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	metric TEXT NOT NULL, 
	type TEXT NOT NULL, 
	text TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	amount BIGINT, 
	unit TEXT NOT NULL, 
	special TEXT NOT NULL, 
	normal TEXT NOT NULL, 
	original TEXT NOT NULL, 
	page_no INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	effective TEXT NOT NULL, 
	expires TEXT NOT NULL, 
	terms TEXT NOT NULL, 
	fiscal_year INTEGER, 
	fiscal_quarter INTEGER, 
	PRIMARY KEY (document, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE job_items (
	job TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	source TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	payload JSON NOT NULL, 
	document TEXT, 
	title TEXT NOT NULL, 
	outcome TEXT, 
	reason TEXT NOT NULL, 
	pages INTEGER NOT NULL, 
	passages INTEGER NOT NULL, 
	PRIMARY KEY (job, ordinal), 
	FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);
CREATE TABLE jobs (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	title TEXT NOT NULL, 
	state TEXT NOT NULL, 
	payload JSON NOT NULL, 
	done INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	rate FLOAT, 
	last_item TEXT NOT NULL, 
	error TEXT, 
	cancel_requested BOOLEAN NOT NULL, 
	owner TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	progress_at BIGINT, current JSON, 
	PRIMARY KEY (id)
);
INSERT INTO "jobs" VALUES('j0383e81dbf847a80','','ingest','Files','queued','{}',0,0,NULL,'',NULL,0,'',0,1796006040269906,1796006040269906,NULL,NULL);
CREATE TABLE leases (
	name TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	acquired_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE lessons (
	id TEXT NOT NULL, 
	trace TEXT NOT NULL, 
	question TEXT NOT NULL, 
	shape TEXT NOT NULL, 
	slots JSON NOT NULL, 
	buckets JSON NOT NULL, 
	user TEXT NOT NULL, 
	asked_at BIGINT NOT NULL, 
	outcome TEXT NOT NULL, 
	status TEXT NOT NULL, 
	"plan" TEXT, 
	corrected TEXT, 
	corrected_question TEXT NOT NULL, 
	corrected_at BIGINT, 
	corrected_by TEXT NOT NULL, 
	vector BLOB, 
	encoder TEXT NOT NULL, taught TEXT, forgotten_at BIGINT, is_shared BOOLEAN DEFAULT 1 NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE memberships (
	account TEXT NOT NULL, 
	group_name TEXT NOT NULL, 
	PRIMARY KEY (account, group_name), 
	FOREIGN KEY(account) REFERENCES accounts (name) ON DELETE CASCADE, 
	FOREIGN KEY(group_name) REFERENCES account_groups (name) ON DELETE CASCADE
);
CREATE TABLE meta (
	"key" TEXT NOT NULL, 
	value JSON NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE model_calls (
	id TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	user TEXT NOT NULL, 
	trace TEXT NOT NULL, 
	job TEXT NOT NULL, 
	role TEXT NOT NULL, 
	prompt TEXT NOT NULL, 
	model TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	prompt_tokens INTEGER NOT NULL, 
	completion_tokens INTEGER NOT NULL, 
	cost_usd FLOAT, 
	latency_ms FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	detail TEXT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE model_readings (
	document TEXT NOT NULL, 
	field TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	basis TEXT NOT NULL, 
	status TEXT NOT NULL, 
	finding JSON NOT NULL, 
	reason TEXT NOT NULL, 
	model TEXT NOT NULL, 
	prompt TEXT NOT NULL, 
	job TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (document, field), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE node_figures (
	kind TEXT NOT NULL, 
	runs FLOAT NOT NULL, 
	rows FLOAT NOT NULL, 
	ms FLOAT NOT NULL, 
	rows_rows FLOAT NOT NULL, 
	rows_ms FLOAT NOT NULL, 
	PRIMARY KEY (kind)
);
CREATE TABLE node_results (
	"key" TEXT NOT NULL, 
	data_version BIGINT NOT NULL, 
	size_bytes INTEGER NOT NULL, 
	used_at BIGINT NOT NULL, 
	result BLOB NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE page_readings (
	content_hash TEXT NOT NULL, 
	page_no INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	lines JSON NOT NULL, 
	PRIMARY KEY (content_hash, page_no)
);
CREATE TABLE pages (
	document TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	page_no INTEGER NOT NULL, 
	label TEXT NOT NULL, 
	headings JSON NOT NULL, 
	text TEXT NOT NULL, width_pt FLOAT, height_pt FLOAT, 
	PRIMARY KEY (document, version, page_no), 
	FOREIGN KEY(document, version) REFERENCES document_versions (document, version) ON DELETE CASCADE
);
INSERT INTO "pages" VALUES('de8d0d0d82cd5856e3430',1,1,'label','[[1,0,5,"Consu"]]','Consulting agreement of 1 March 2024.',NULL,NULL);
INSERT INTO "pages" VALUES('d582bda0f5ab1ef534b37',1,1,'label','[[1,0,5,"First"]]','First text.',NULL,NULL);
CREATE TABLE parties (
	document TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	normal TEXT NOT NULL, 
	role TEXT NOT NULL, 
	entity_type TEXT NOT NULL, 
	jurisdiction TEXT NOT NULL, 
	identifiers JSON NOT NULL, 
	page_no INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	PRIMARY KEY (document, ordinal), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE passage_vectors (
	passage INTEGER NOT NULL, 
	vector BLOB NOT NULL, 
	PRIMARY KEY (passage), 
	FOREIGN KEY(passage) REFERENCES passages (id) ON DELETE CASCADE
);
INSERT INTO "passage_vectors" VALUES(1,X'C33D8A3D0E4091BD8C09B03E44AD663D393E93BEC4C9463E3A38333F4F2A023F');
CREATE TABLE passages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	document TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	tokens INTEGER NOT NULL, 
	layout JSON NOT NULL, 
	text TEXT NOT NULL, 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "passages" VALUES(1,'de8d0d0d82cd5856e3430',1,0,6,'{"parts":[1,0,34],"sentences":[0,17,18,34],"section":["Chapter","Section"],"images":["image.png"]}','First sentence 0. Second sentence.');
CREATE TABLE plan_runs (
	id TEXT NOT NULL, 
	"plan" TEXT NOT NULL, 
	plan_version INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	user TEXT NOT NULL, 
	data_version BIGINT NOT NULL, 
	parameters TEXT NOT NULL, 
	status TEXT NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	result BLOB NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("plan") REFERENCES plans (id) ON DELETE CASCADE
);
CREATE TABLE plans (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	question TEXT NOT NULL, 
	"plan" TEXT NOT NULL, 
	parameters TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	acl JSON, 
	version INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	updated_by TEXT NOT NULL, 
	removed_at BIGINT, 
	PRIMARY KEY (id)
);
CREATE TABLE reading_queue (
	document TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (document), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE request_keys (
	"key" TEXT NOT NULL, 
	claim TEXT NOT NULL, 
	claimed_at BIGINT NOT NULL, 
	fingerprint TEXT, 
	"view" TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	headers JSON NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE review_flags (
	item TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	note TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (item, reason), 
	FOREIGN KEY(item) REFERENCES review_items (id) ON DELETE CASCADE
);
CREATE TABLE review_items (
	id TEXT NOT NULL, 
	trace TEXT NOT NULL, 
	asker TEXT NOT NULL, 
	question TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	status TEXT NOT NULL, 
	confidence FLOAT NOT NULL, 
	data_version BIGINT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	documents JSON NOT NULL, 
	state TEXT NOT NULL, 
	assignee TEXT NOT NULL, 
	assigned_at BIGINT, 
	verdict TEXT NOT NULL, 
	reviewer TEXT NOT NULL, 
	note TEXT NOT NULL, 
	corrections JSON NOT NULL, 
	revision INTEGER NOT NULL, 
	flagged_at BIGINT NOT NULL, 
	resolved_at BIGINT, 
	PRIMARY KEY (id), 
	UNIQUE (trace)
);
CREATE TABLE role_grants (
	kind TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	role TEXT NOT NULL, 
	PRIMARY KEY (kind, holder, role)
);
INSERT INTO "role_grants" VALUES('account','root','admin');
CREATE TABLE sentence_vectors (
	passage INTEGER NOT NULL, 
	dimension INTEGER NOT NULL, 
	vectors BLOB NOT NULL, 
	PRIMARY KEY (passage), 
	FOREIGN KEY(passage) REFERENCES passages (id) ON DELETE CASCADE
);
INSERT INTO "sentence_vectors" VALUES(1,8,X'1CB365B64CB2AE22E0B96CAC4BB666B34DB4FFB081321E3810AC663941B58E31');
CREATE TABLE settled_phrases (
	phrase TEXT NOT NULL, 
	written TEXT NOT NULL, 
	how TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	user TEXT NOT NULL, 
	PRIMARY KEY (phrase)
);
CREATE TABLE shared_links (
	secret TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	target TEXT NOT NULL, 
	account TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	revoked_at BIGINT, 
	PRIMARY KEY (secret)
);
CREATE TABLE sign_in_failures (
	"key" TEXT NOT NULL, 
	failures INTEGER NOT NULL, 
	last_at BIGINT NOT NULL, 
	blocked_until BIGINT NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE summaries (
	document TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	sentences JSON NOT NULL, 
	entities JSON NOT NULL, 
	risks JSON NOT NULL, 
	PRIMARY KEY (document, kind), 
	FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE traces (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	saved_at BIGINT NOT NULL, 
	trace TEXT NOT NULL, answer TEXT, follow_ups JSON, other_readings JSON, 
	PRIMARY KEY (id)
);
CREATE TABLE turns (
	id TEXT NOT NULL, 
	conversation TEXT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	question TEXT NOT NULL, 
	state TEXT NOT NULL, 
	answer TEXT, 
	trace TEXT, 
	feedback TEXT NOT NULL, 
	asked_at BIGINT NOT NULL, first_answer TEXT, first_trace TEXT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(conversation) REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE TABLE uncovered_phrases (
	lesson TEXT NOT NULL, 
	phrase TEXT NOT NULL, 
	written TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (lesson, phrase), 
	FOREIGN KEY(lesson) REFERENCES lessons (id) ON DELETE CASCADE
);
CREATE TABLE word_heads (
	schema TEXT NOT NULL, 
	field TEXT NOT NULL, 
	learnt_at BIGINT NOT NULL, 
	verdicts INTEGER NOT NULL, 
	newest BIGINT, 
	head TEXT NOT NULL, 
	PRIMARY KEY (schema, field)
);
CREATE INDEX documents_by_bucket ON documents (bucket, access, passages);
CREATE INDEX documents_by_bucket_title ON documents (bucket, title, id, access);
CREATE INDEX documents_by_title ON documents (title, id, access);
CREATE INDEX documents_by_source ON documents (source, id, access);
CREATE INDEX documents_by_update ON documents (updated_at, id, access);
CREATE INDEX documents_by_status ON documents (status, id, access);
CREATE INDEX documents_by_pages ON documents (pages, id, access);
CREATE INDEX documents_by_passages ON documents (passages, id, access);
CREATE INDEX documents_by_size ON documents (size_bytes, id, access);
CREATE INDEX documents_by_failed_hash ON documents (failed_hash);
CREATE INDEX document_versions_by_hash ON document_versions (content_hash);
CREATE UNIQUE INDEX passages_by_document ON passages (document, ordinal);
CREATE INDEX changes_by_document ON changes (document);
CREATE INDEX conversations_by_user ON conversations (user, updated_at);
CREATE UNIQUE INDEX turns_by_conversation ON turns (conversation, ordinal);
CREATE INDEX turns_by_state ON turns (state, asked_at);
CREATE INDEX traces_by_user ON traces (user, saved_at);
CREATE INDEX jobs_by_creation ON jobs (created_at);
CREATE INDEX jobs_by_state ON jobs (state, created_at);
CREATE INDEX field_cells_by_doubt ON field_cells (status, check_again, probability, document, field);
CREATE INDEX field_cells_by_field ON field_cells (field, document, status);
CREATE INDEX field_cells_by_status ON field_cells (bucket, field, status, is_reviewed, check_again, document);
CREATE INDEX field_values_by_field ON field_values (field, document, ordinal);
CREATE INDEX cell_reviews_by_cell ON cell_reviews (document, field, id);
CREATE INDEX annotation_columns_by_column ON annotation_columns ("column", document, table_no);
CREATE INDEX annotation_cells_by_column ON annotation_cells ("column", document, table_no, row_no);
CREATE INDEX clauses_by_type ON clauses (type, document);
CREATE INDEX financials_by_metric ON financials (metric, document);
CREATE INDEX plans_by_name ON plans (name, updated_at);
CREATE INDEX plans_by_owner ON plans (owner, name, updated_at);
CREATE INDEX plan_runs_by_plan ON plan_runs ("plan", at);
CREATE INDEX node_results_by_use ON node_results (used_at, size_bytes);
CREATE INDEX node_results_by_version ON node_results (data_version);
CREATE INDEX lessons_by_shape ON lessons (shape, corrected_at);
CREATE INDEX lessons_by_user ON lessons (user, asked_at);
CREATE INDEX lessons_by_trace ON lessons (trace);
CREATE INDEX lessons_by_time ON lessons (asked_at);
CREATE INDEX uncovered_phrases_by_phrase ON uncovered_phrases (phrase, at);
CREATE INDEX lessons_by_question ON lessons (question);
CREATE INDEX field_guesses_by_field ON field_guesses (field, bucket, document);
CREATE INDEX family_marks_by_title ON family_marks (bucket, title, day);
CREATE INDEX family_references_by_title ON family_references (bucket, title, day);
CREATE INDEX crawls_by_creation ON crawls (created_at);
CREATE INDEX crawls_by_next ON crawls (next_at);
CREATE INDEX crawl_urls_by_state ON crawl_urls (crawl, run, state, depth, reason);
CREATE INDEX crawl_urls_by_content ON crawl_urls (crawl, content_hash);
CREATE INDEX crawl_urls_by_text ON crawl_urls (crawl, text_hash);
CREATE INDEX crawl_urls_by_pattern ON crawl_urls (crawl, pattern);
CREATE INDEX crawl_urls_by_hash ON crawl_urls (content_hash);
CREATE INDEX crawl_urls_by_document ON crawl_urls (document);
CREATE INDEX model_calls_by_time ON model_calls (at);
CREATE INDEX model_calls_by_trace ON model_calls (trace);
CREATE INDEX model_readings_by_job ON model_readings (job);
CREATE INDEX memberships_by_group ON memberships (group_name);
CREATE INDEX browser_sessions_by_account ON browser_sessions (account);
CREATE INDEX api_tokens_by_account ON api_tokens (account);
CREATE INDEX access_entries_by_grantee ON access_entries (grantee_kind, grantee);
CREATE INDEX audit_entries_by_account ON audit_entries (account, sequence);
CREATE INDEX audit_entries_by_trace ON audit_entries (trace);
CREATE INDEX audit_entries_by_deed ON audit_entries (deed, sequence);
CREATE INDEX audit_entries_by_subject ON audit_entries (subject);
CREATE INDEX shared_links_by_target ON shared_links (kind, target);
CREATE INDEX request_keys_by_time ON request_keys (claimed_at);
CREATE INDEX documents_by_name ON documents (name);
CREATE INDEX review_items_by_state ON review_items (state, flagged_at);
CREATE INDEX review_items_by_fingerprint ON review_items (fingerprint);
CREATE INDEX review_flags_by_reason ON review_flags (reason);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('passages',1);
INSERT INTO "sqlite_sequence" VALUES('changes',4);
INSERT INTO "sqlite_sequence" VALUES('cell_reviews',1);
COMMIT;
