/** The wire, as the server's OpenAPI has it. Made: do not edit. */

/** What a person puts in place of what the layers so far came to. */
export interface AgentEdits {
  /** Up to 8,000 bytes of UTF-8. */
  understanding?: string | null;
  /** Its steps; planning then keeps them. */
  plan?: Array<string> | null;
}

/** What the user says to the agent. */
export interface AgentMessage {
  /** Up to 32,000 bytes of UTF-8. */
  message: string;
  /** The conversation it goes on; by default a new one. */
  session_id?: string | null;
  /** Pause before planning until it is resumed; false answers at once. */
  interrupt?: boolean;
  /** Of a new conversation; the person's by default. */
  language?: "ko" | "en" | null;
}

/** How a paused run goes on. */
export interface AgentResume {
  edits?: AgentEdits;
  /** To what a tool asked; needed if one did. */
  answer?: JsonValue;
}

/** Where a run stands. A run that is paused has no response yet, and says what it goes on with. */
export interface AgentRun {
  session_id: string;
  /** Of the conversation: active when the answer is there, and it can go on; paused when somebody has to resume the run. */
  status: Status;
  current_layer: Layer | null;
  /** What the run goes on with. */
  waits_before: string | null;
  /** What the user said. */
  message: string | null;
  response: string | null;
  understanding: string | null;
  plan: Array<string>;
  /** Facts about the user that the run was told. */
  memories: Array<Record<string, JsonValue>>;
  /** What tools asked. */
  questions: Array<JsonValue>;
  total_tokens: number;
  /** Exact, hence a string. */
  total_cost: string;
  ended_reason: string | null;
}

/** A memory that an answer rests on. */
export interface AnswerSource {
  id: string;
  content: string;
  category: Category;
  /** Whether it is still in use. */
  is_active: boolean;
  /** First 100 characters of what was said. */
  preview: string | null;
  created_at: string;
  /** Its page, for the person once they are signed in. */
  path: string;
}

/** What an answer rests on, in the order asked for. */
export interface AnswerSources {
  sources: Array<AnswerSource>;
}

/** A piece of an answer that is under way; the whole follows as a message. */
export interface AnswerWord {
  type: "token";
  text: string;
}

/** One line of the audit log: ids, numbers and codes, never content. */
export interface AuditEntry {
  /** Place in the person's chain, from 1. */
  position: number;
  audit_id: string;
  event_type: string;
  target_table: string;
  target_id: string;
  actor: string;
  reason: string;
  details: Record<string, JsonValue>;
  created_at: string;
  /** SHA-256 over the hash of the line before and this line, in hex. */
  hash: string;
}

/** Lines, newest first; the next page is `before` the last one's position. */
export interface AuditPage {
  lines: Array<AuditEntry>;
  has_more: boolean;
}

/** Candidates, newest first. */
export interface CandidateList {
  candidates: Array<MemoryCandidate>;
}

/** Where a candidate stands (A05). */
export type CandidateStatus = "pending" | "confirmed" | "rejected" | "expired";

/** A card (C01); what is left out, null or empty says nothing. */
export interface CardBody {
  name?: string | null;
  occupation?: string | null;
  interests?: Array<string> | null;
  learning_goals?: Array<string> | null;
  preferences?: Array<string> | null;
  mentioned_facts?: Array<string> | null;
}

/** The places of a person's profile card (C01). */
export type CardField = "name" | "occupation" | "interests" | "learning_goals" | "preferences" | "mentioned_facts";

/** What kind of thing a memory is (D01 and A05). */
export type Category = "location" | "preference" | "behavior" | "context" | "feedback" | "constraint" | "habit" | "device_pattern";

/** How many memories of a category are in use, and how often prompts had them. */
export interface CategoryUse {
  active: number;
  uses: number;
}

/** The conversation is over; what it was about follows by itself. */
export interface ChatClosed {
  success?: true;
  /** The session that ended now; null when none was open. */
  sessionId: string | null;
}

/** What the client still knows of the conversation. */
export interface ChatContext {
  /** Oldest first. They fill in what the session does not hold; the model sees ten messages at most. */
  recentMessages?: Array<RecentMessage>;
}

/** What the user says to a persona. */
export interface ChatMessage {
  /** Up to 128 characters, yours. */
  personaId: string;
  /** Up to 32,000 bytes of UTF-8. */
  message: string;
  context?: ChatContext;
  /** Yours, or one from an earlier answer; by default the person's open session with the persona. One that is over is followed by another. */
  sessionId?: string | null;
  /** Who the persona is: the base of the system prompt. */
  instructions?: string | null;
}

/** The persona's reply, kept with what it replies to. */
export interface ChatReply {
  success?: true;
  reply: string;
  /** Where the turn was kept. */
  sessionId: string;
  /** Of the reply. */
  messageId: string;
  createdAt: string;
  /** Memories of earlier conversations that the model was told. */
  memoriesUsed: Array<string>;
  /** Facts about the user that the model was told. */
  factsUsed: Array<string>;
  /** The memory that was made of the conversation, where the message asked to save it. */
  memorySaved?: string | null;
}

/** Which conversation is over. */
export interface ChatToClose {
  /** Up to 128 characters, yours. */
  personaId: string;
  /** By default the open session with the persona. */
  sessionId?: string | null;
}

/** What confirming a candidate did. */
export interface Confirmed {
  /** The memory that holds it now; null when it was to forget one. */
  memory: UserMemory | null;
}

/** Why a device is not in step. */
export type ConflictKind = "fork" | "cloud_behind" | "erased" | "revoked" | "needs_person";

/** What becomes of what a device still has. */
export interface ConflictResolution {
  /** send: it sends all that, under new numbers. discard: it puts it aside. */
  resolution: DeviceResolution;
}

/** Decisions to note; what is left out or null stays as it is. */
export interface ConsentChange {
  storage?: boolean | null;
  profile?: boolean | null;
  sensitive?: boolean | null;
  sync?: boolean | null;
  words?: boolean | null;
  /** Which text the person was shown; 128 characters. */
  notice?: string | null;
}

/** One standing decision for each purpose. */
export interface ConsentList {
  consents: Array<ConsentState>;
}

/** The standing decision about one purpose. */
export interface ConsentState {
  purpose: Purpose;
  granted: boolean;
  /** 0 while the person has never decided. */
  version: number;
  notice: string | null;
  at: string | null;
}

/** What to add to the prompt; an empty text when nothing is known. */
export interface ContextBlock {
  text: string;
  lines: Array<ContextLine>;
  excerpts: Array<ContextExcerpt>;
  questions: Array<ForgetQuestionView>;
  /** An estimate on the safe side. */
  tokens: number;
}

/** What the person once said, word for word with its message, or what is told of it. Without a message it is an episode's words or a session's summary, shortened. */
export interface ContextExcerpt {
  text: string;
  message_id: string | null;
  session_id: string | null;
  episode_id: string | null;
  at: string;
}

/** One line of a block, and the memory it shows. */
export interface ContextLine {
  text: string;
  memory_id: string;
  at: string;
}

/** The utterance that the prompt will answer. */
export interface ContextQuestion {
  query: string;
  /** Of the block; by default the person's. */
  language?: "ko" | "en" | null;
  /** By default 800, with ten lines; lines follow a given budget. */
  token_budget?: number | null;
  /** Most of what was once said; by default the installation's. */
  excerpts?: number | null;
  /** Whose prompt it goes into: what was said to another persona is not quoted. Up to 128 characters, yours. */
  persona?: string | null;
}

/** Where the conversation stands. */
export interface ConversationStateView {
  session_id: string;
  workflow_context: Record<string, unknown>;
}

/** A conversation to sum up and keep (E05). What the session holds already is not kept twice, so sending the whole conversation again is harmless, and with each message's `timestamp` nothing comes back that was erased. Messages are put in order of time where every one has a time. */
export interface ConversationToKeep {
  /** Up to 128 characters, yours. */
  sessionId: string;
  /** Up to 128 characters, yours. */
  personaId: string;
  messages?: Array<TranscriptMessage>;
}

/** How the numbers a device sent compare with those of the cloud. */
export type CursorState = "ok" | "pending" | "conflict";

/** Summaries of days, newest first. */
export interface DaySummaryList {
  summaries: Array<DaySummaryView>;
}

/** What a day of the person's was about (A03). */
export interface DaySummaryView {
  summary_id: string;
  /** The day in the person's time zone. */
  date_key: string;
  /** As you gave it; set when all conversations came from one device. */
  device_id: string | null;
  summary_text: string;
  open_tasks: Array<string>;
  recent_preferences: Array<string>;
  topics: Array<string>;
  source_session_ids: Array<string>;
  /** Whether the model was away or refused, and the original stands in. */
  is_fallback: boolean;
  created_at: string;
  updated_at: string;
  expires_at: string;
}

/** What the planner decided. */
export interface DecisionView {
  route_family: string | null;
  planner_summary: Record<string, JsonValue> | null;
  assistant_text: string | null;
  active_workflow_id: string | null;
}

/** What becomes of a memory once its time is over (A06). */
export type DeletePolicy = "user_delete" | "retention_expire" | "manual_review";

/** Both sides of a conflict about what was said. */
export interface DeviceConflictState {
  kind: ConflictKind;
  since: string;
  /** Turns that the device said it had. */
  sent: number;
  /** Turns of it that had been taken. */
  taken: number;
  /** What was decided; it is done when the device next asks. */
  resolution: DeviceResolution | null;
}

/** Whether a device has heard of an erasure. */
export interface DeviceErasure {
  /** The device's, as you gave it. */
  id: string;
  state: HeardErasure;
  last_seen_at: string;
}

/** Every device that holds a copy of what is remembered. */
export interface DeviceErasureList {
  devices: Array<DeviceErasure>;
}

/** Devices, oldest first. */
export interface DeviceList {
  devices: Array<DeviceView>;
}

/** What somebody decided about a conflict of a device (A17). */
export type DeviceResolution = "send" | "discard";

/** One device, and whether it is in step. */
export interface DeviceView {
  /** As you gave it. */
  id: string;
  /** Null: it never synced. */
  sync_status: SyncStatus | null;
  conflict: ConflictKind | null;
  conflict_state: DeviceConflictState | null;
  /** What may be decided about the conflict, by `resolve`. */
  ways_out: Array<DeviceResolution>;
  /** The same in words, by Accept-Language. */
  state: string;
  last_seen_at: string | null;
  /** How often it began with an empty file. */
  installations: number;
}

/** How a conversation felt to the user (E04). */
export type Emotion = "joy" | "sadness" | "stress" | "calm" | "excitement";

/** How much an erasure is about. */
export type ErasureKind = "person" | "persona" | "device" | "session" | "memory" | "message";

/** Proof of an erasure: ids, counts and times, signed, without content. */
export interface ErasureReceipt {
  receipt_id: string;
  /** The person's pseudonym. */
  user_id: string;
  kind: ErasureKind;
  about: string;
  /** How often the person was erased with this. */
  number: number;
  requested_at: string;
  finished_at: string;
  /** Until then an old backup may hold what was erased. */
  backups_until: string;
  parts: Record<string, string>;
  counts: Record<string, number>;
  /** Ed25519 over all other fields, in hex. */
  signature: string;
}

/** The body of every error. */
export interface ErrorBody {
  error: ErrorDetail;
}

/** What went wrong. */
export interface ErrorDetail {
  /** Stable name of the kind of error. */
  code: string;
  /** For people, in Korean or English. */
  message: string;
  /** The field that cannot be accepted, if one is to blame. */
  field?: string | null;
}

/** The answer (document A, 5.2), and beside it what was decided. */
export interface ExchangeAnswerBody {
  session_state: ConversationStateView;
  memory_update: MemoryUpdateView;
  /** Under which the turn is kept as a pair; results name it. */
  request_id: string;
  /** How the device's numbers compare with the cloud's; after a conflict it says hello. */
  sync_status: CursorState;
  planner_input: PlannerInputView | null;
  /** Null where no planner is configured: run yours, and send results. */
  decision: DecisionView | null;
  /** Whether the turn is kept. */
  recorded: boolean;
}

/** Whether the turn is kept: not where the person does not agree, or erased it. */
export interface ExchangeRecorded {
  request_id: string;
  recorded: boolean;
  status: "kept" | "not_kept";
}

/** What was said, and the device's snapshot (document A, 5.1). */
export interface ExchangeRequestBody {
  recognized_text: string;
  voice_context?: VoiceContext;
  memory_snapshot?: MemorySnapshot;
  memory_sync?: MemorySyncBody;
  /** Whatever your planner needs; `device_id` names the device. */
  device_context?: Record<string, JsonValue>;
}

/** What a caller's own planner decided about an utterance. */
export interface ExchangeResultBody {
  /** As the answer gave it. */
  request_id: string;
  /** As the answer gave it. */
  session_id: string;
  recognized_text: string;
  assistant_text: string;
  route_family?: string | null;
  planner_summary?: Record<string, JsonValue>;
  active_workflow_id?: string | null;
  device_id?: string | null;
}

/** An export that waits to be fetched. */
export interface ExportLink {
  /** Where to get it, with the person's own token. */
  path: string;
  expires_at: string;
}

/** The body of every error of the persona document's calls. */
export interface Failure {
  success?: false;
  /** Stable name of the kind of error, in capitals. */
  error: string;
  /** For people, in Korean or English. */
  message: string;
  /** The field that cannot be accepted, if one is to blame. */
  field?: string | null;
}

/** What the person may have asked to forget: ask them. The answer is understood when it is read; or confirm the candidate, which forgets it, or reject it. */
export interface ForgetQuestionView {
  candidate_id: string;
  /** The memory; null where it is something said, of which there is none. */
  memory_id: string | null;
  content: string;
  wished_at: string;
}

/** The process is well. */
export interface Health {
  status?: "ok";
}

/** Whether an erasure has reached a device. */
export type HeardErasure = "done" | "pending" | "expired";

/** How far what went before bears on an utterance, as the device sees it. */
export type HintStrength = "none" | "weak" | "strong";

/** What happened to a memory (D03). */
export type HistoryAction = "created" | "updated" | "merged" | "deactivated" | "reactivated" | "expired";

/** One step in the life of a memory (D03). */
export interface HistoryStep {
  action: HistoryAction;
  old_content: string | null;
  new_content: string | null;
  old_confidence: number | null;
  new_confidence: number | null;
  session_id: string | null;
  trigger: string;
  created_at: string;
}

/** What was found. */
export type HitKind = "message" | "memory" | "session_summary" | "day_summary" | "week_summary" | "episode";

/** One thing found; higher scores first, comparable within one answer only. */
export interface HitView {
  kind: HitKind;
  id: string;
  content: string;
  score: number;
  at: string;
  session_id: string | null;
  position: number | null;
  role: Role | null;
  category: Category | null;
  confidence: number | null;
}

export type JsonValue = unknown;

/** Where the run of an agent stands (B05). */
export type Layer = "cognitive" | "planning" | "execution" | "response";

/** The run of the agent has come to another layer. */
export interface LayerChanged {
  type: "layer";
  layer: string | null;
}

/** A page of memories (E11). */
export interface MemoriesListed {
  success?: true;
  memories: Array<PersonaMemory>;
  total: number;
  hasMore: boolean;
}

/** The memories with which a conversation starts (E08). */
export interface MemoriesLoaded {
  success?: true;
  memories: Array<PersonaMemory>;
}

/** One memory. */
export interface MemoryAnswer {
  success?: true;
  memory: PersonaMemory;
}

/** The memory is in the archive (E14). */
export interface MemoryArchived {
  success?: true;
  archivedAt: string;
}

/** A claim that waits for corroboration or review (A05). */
export interface MemoryCandidate {
  id: string;
  category: Category;
  claim: string;
  confidence: number;
  status: CandidateStatus;
  /** What confirming it does to what is known. */
  operation: string;
  /** Why only a review confirms it, if so. */
  held_reason: QuarantineReason | null;
  /** The memory it became. */
  memory_id: string | null;
  source_session_ids: Array<string>;
  created_at: string;
  reviewed_at: string | null;
}

/** What may be changed of a memory; what is left out or null stays as it is. */
export interface MemoryChange {
  /** What is true instead, up to 4,000 bytes of UTF-8: a new memory says it, and the old one is out of use. */
  content?: string | null;
  /** Of the new content; else as it was. */
  category?: Category | null;
  /** What becomes of it once its time is over (A06). */
  delete_policy?: DeletePolicy | null;
}

/** A memory with its source and its history, oldest step first. */
export interface MemoryDetail {
  id: string;
  content: string;
  category: Category;
  /** The part of a person's life it is about, such as home, work or pet; null where that is not plain. */
  subcategory: string | null;
  /** 0 to 1, after time has faded it. */
  confidence: number;
  /** How far it bore on the question of the last prompt that had it, from 0 to 1; 0 before. */
  relevance_score: number;
  /** explicit: somebody asked for it to be remembered; inferred: it was found in what the person said. */
  source_type: SourceType;
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  /** How far it is trusted: what it rests on. */
  trust: Trust;
  is_active: boolean;
  inactive_reason: string | null;
  expires_at: string | null;
  delete_policy: DeletePolicy;
  /** Whether it stands first in every prompt and does not fade. */
  is_pinned: boolean;
  superseded_by: string | null;
  updated_at: string;
  source: MemorySource;
  history: Array<HistoryStep>;
}

/** Something that happened to a memory. */
export interface MemoryEvent {
  memory_id: string;
  action: HistoryAction;
  old_content: string | null;
  new_content: string | null;
  created_at: string;
  /** Its page, for the person once they are signed in. */
  path: string;
}

/** What happened to memories, oldest first. */
export interface MemoryEventList {
  updates: Array<MemoryEvent>;
  /** Send it as `after`, for the rest or what is new. */
  cursor: string;
  has_more: boolean;
}

/** The memory is erased. */
export interface MemoryGone {
  success?: true;
}

/** A page of memories, newest first, and how many there are in all (D12). */
export interface MemoryList {
  memories: Array<UserMemory>;
  total: number;
}

/** What a person allows (D04, D12). */
export interface MemorySettings {
  is_enabled: boolean;
  auto_extraction: boolean;
  allowed_categories: Array<Category>;
  max_memories: number;
  /** null keeps memories until erased. */
  retention_days: number | null;
  promotion_policy: Policy;
  /** How long words are kept, with consent to `words`; null as usual. */
  words_days: number | null;
}

/** The compact copy that the device sends along. */
export interface MemorySnapshot {
  session_summary?: string | null;
  short_term?: Array<ShortTermBody>;
  mid_term?: Array<MidTermBody>;
  profile_hints?: Array<ProfileHintBody>;
}

/** Where a memory comes from. */
export interface MemorySource {
  type: SourceType;
  session_id: string | null;
  message_ids: Array<string>;
  /** First 100 characters of what was said. */
  preview: string | null;
  /** What found it, with its version. */
  extractor: string;
  /** The candidates it was. */
  candidate_ids: Array<string>;
}

/** Where the device stands. */
export interface MemorySyncBody {
  /** Its last pair: 42, or "pair_seq_42". */
  device_cursor?: string | number | null;
  last_cloud_update_seq?: number;
}

/** A conversation to keep, perhaps in the person's own words (E10). */
export interface MemoryToCreate {
  /** Up to 128 characters, yours. */
  sessionId: string;
  /** Up to 128 characters, yours. */
  personaId: string;
  messages?: Array<TranscriptMessage>;
  /** Kept as it is instead of a summary. */
  manualSummary?: string | null;
}

/** What the cloud has learned since. */
export interface MemoryUpdateView {
  cloud_update_seq: number;
  session_summary_delta: string;
  profile_candidates: Array<ProfileCandidateView>;
}

/** What is remembered of a person, in numbers (D14). */
export interface MemoryUsage {
  active: number;
  inactive: number;
  /** In use, but no prompt ever had them. */
  unused: number;
  /** Candidates that wait. */
  waiting: number;
  /** How often prompts had memories in use. */
  uses: number;
  last_used_at: string | null;
  /** Most that the settings let be in use. */
  most: number;
  categories: Partial<Record<Category, CategoryUse>>;
}

/** A message, in order; `position` is where to resume after. */
export interface MessageAdded {
  type: "message";
  id: string;
  position: number;
  role: Role;
  content: string;
  layer: string | null;
  created_at: string;
}

/** One message as it was said; `position` counts from 0. */
export interface MessageView {
  id: string;
  session_id: string;
  position: number;
  role: Role;
  content: string;
  layer: string | null;
  metadata: Record<string, JsonValue>;
  /** Whether extraction has read it, or passed over it. */
  is_read: boolean;
  created_at: string;
}

/** The summary of a week, as it came down. */
export interface MidTermBody {
  week_key: string;
  summary_text?: string;
}

/** A device to register. */
export interface NewDevice {
  /** Your id of it. */
  id: string;
  /** For how long its token is good. */
  token_days?: number;
}

/** Something to remember. */
export interface NewMemory {
  /** One fact, up to 4,000 bytes of UTF-8. */
  content: string;
  /** One that the person's settings allow. Null: `context` for what is new, and what is known keeps its own. */
  category?: Category | null;
}

/** One message. */
export interface NewMessage {
  role: Role;
  /** Up to 1 MB of UTF-8. */
  content: string;
  layer?: string | null;
  /** Attachments and the like; "speaker" names who spoke, "other_speaker" somebody who is not the person. */
  metadata?: Record<string, JsonValue>;
  tokens?: number;
  cost?: number | string;
}

/** A conversation that starts. */
export interface NewSession {
  /** Your id of the person, where your key may act as people and the headers name nobody. */
  user_id?: string | null;
  /** Its id, if your app has one already: 409 where the person has a conversation of this id. By default a new one. */
  id?: string | null;
  /** The person's by default. */
  language?: "ko" | "en" | null;
  /** Your id of whom the person talks to. */
  persona?: string | null;
  /** Your id of the device it takes place on. */
  device?: string | null;
  /** Kept sealed, and returned with the conversation. */
  config?: Record<string, JsonValue>;
  /** Most turns before another session continues it; on a device 8, whatever more is asked. */
  max_pairs?: number | null;
  /** When it is over, whatever happens. */
  expires_at?: string | null;
}

/** What the user said and what the assistant answered (A01). */
export interface NewTurn {
  /** Up to 1 MB of UTF-8. */
  user_text: string;
  /** Up to 1 MB of UTF-8. */
  assistant_text: string;
  route_family?: string | null;
  /** Notes of the planner: route, steps, confidence. */
  planner_summary?: Record<string, JsonValue>;
  tokens?: number;
  cost?: number | string;
  /** Name of who spoke, where it was not the person: nothing in this turn is taken for a fact about them. */
  speaker?: string | null;
}

/** What was left out, and why. */
export interface OmissionView {
  part: string;
  reason: string;
  about: string | null;
  detail: string | null;
}

/** A link that signs a person in once. */
export interface PageLink {
  /** Where it leads on this server; it is a secret. */
  path: string;
  expires_at: string;
}

/** A turn that is safely on disk (A01); `turn_index` counts from 0. */
export interface PairView {
  pair_id: string;
  session_id: string;
  turn_index: number;
  user_message_id: string;
  assistant_message_id: string;
  created_at: string;
  retention_until: string;
}

/** What a person changes; what is left out or null stays as it is. */
export interface PersonChange {
  language?: "ko" | "en" | null;
  /** An IANA time zone, such as America/New_York. */
  time_zone?: string | null;
}

/** Who a person is to gieok. */
export interface PersonView {
  /** Of headings, notices and greetings: ko or en. */
  language: string;
  /** The IANA time zone of their days and weeks. */
  time_zone: string;
  /** free or premium. */
  plan: string;
  created_at: string;
}

/** What one conversation was about (E06). */
export interface PersonaMemory {
  id: string;
  personaId: string | null;
  /** As you named it. */
  sessionId: string | null;
  summary: string;
  topics: Array<string>;
  tags: Array<string>;
  emotion: "\uae30\uc068" | "\uc2ac\ud514" | "\uc2a4\ud2b8\ub808\uc2a4" | "\ud3c9\uc628" | "\ud765\ubd84";
  /** 1 to 10. */
  importance: number;
  /** The conversation itself, as no model could sum it up. */
  fallback: boolean;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
}

/** What to change; what is left out or null stays as it is (E12, E23). */
export interface PersonaMemoryChange {
  summary?: string | null;
  importance?: number | null;
  tags?: Array<string> | null;
}

/** The plan that a person gets. */
export interface PlanChange {
  plan: "free" | "premium";
}

/** The plan a person is on. */
export interface PlanView {
  /** free keeps five memories of a persona in use, premium all. */
  plan: "free" | "premium";
}

/** What a planner goes by, in the order in which it counts (A13). */
export interface PlannerInputView {
  recognized_text: string;
  parts: Array<PlannerPartView>;
  device_context: Record<string, JsonValue>;
  /** All of it for a prompt; what is remembered, fenced. */
  text: string;
  /** An estimate on the safe side. */
  tokens: number;
  left_out: Array<OmissionView>;
}

/** A line, where it comes from, and the id or key of what it shows. */
export interface PlannerLineView {
  text: string;
  source: string;
  about: string | null;
}

/** A part of what a planner goes by. */
export interface PlannerPartView {
  name: string;
  lines: Array<PlannerLineView>;
}

/** When a candidate becomes a memory (A07, design rule 8). */
export type Policy = "stated" | "strict";

/** The answer to `{"type": "ping"}`. */
export interface Pong {
  type: "pong";
}

/** Something that may be meant: confirm its candidate to erase it. */
export interface PossiblyMeant {
  candidate_id: string;
  /** The memory; null where it is something said, of which there is none. */
  memory_id: string | null;
  content: string;
}

/** What may become a memory; never one yet. */
export interface ProfileCandidateView {
  candidate_id: string;
  category: Category;
  claim: string;
  confidence: number;
  status: CandidateStatus;
}

/** What is known of a person: the card (C01), its values and what was before. */
export interface ProfileCard {
  /** name, occupation, interests, learning_goals, preferences, mentioned_facts; what is not known is not there. */
  profile: Record<string, string | Array<string>>;
  values: Array<ProfileValue>;
  /** What the name and the occupation were before, oldest first. */
  history: Array<ProfileValue>;
}

/** A confirmed memory, as it came down. */
export interface ProfileHintBody {
  id?: string | null;
  category?: string | null;
  claim?: string;
}

/** One value of a card, and what it rests on. */
export interface ProfileValue {
  field: CardField;
  value: string;
  /** The memories that say it. */
  memory_ids: Array<string>;
  /** The session it was first said in; null where it was written. */
  session_id: string | null;
  /** When it was last confirmed. */
  at: string;
  /** 0 to 1, as then confirmed. */
  confidence: number;
}

/** What the person's data may be used for (D14). */
export type Purpose = "storage" | "profile" | "sensitive" | "sync" | "words";

/** Why a candidate is confirmed by review alone, however often it is repeated. */
export type QuarantineReason = "suspicious" | "high_impact" | "contradiction" | "influence" | "ambiguous";

/** Whether what was said in a session has been read. */
export type ReadingState = "pending" | "read" | "failed" | "off";

/** How far what was said has been read. */
export interface ReadingView {
  /** pending: ask again soon. failed: every try failed, and somebody has to look at the jobs. off: the person's settings let nothing be extracted. */
  state: ReadingState;
  /** Messages that wait to be read. */
  unread_count: number;
  /** Findings that were not kept, as `allowed_categories` in the person's memory-settings does not list their category. */
  not_kept: Partial<Record<Category, number>>;
}

/** What was found, best first. */
export interface RecallAnswer {
  hits: Array<HitView>;
}

/** Which items may be found at all; what is left out does not narrow. */
export interface RecallFilters {
  kinds?: Array<HitKind> | null;
  categories?: Array<Category> | null;
  session_id?: string | null;
  /** Included. */
  since?: string | null;
  /** Excluded. */
  until?: string | null;
  min_confidence?: number;
}

/** A question to everything a person said or is known for. */
export interface RecallQuestion {
  query: string;
  /** 1 to 200. */
  limit?: number;
  filters?: RecallFilters;
}

/** Receipts, newest first. */
export interface ReceiptList {
  receipts: Array<ErasureReceipt>;
}

/** One message as the client shows it; `id` and `timestamp` are the client's. */
export interface RecentMessage {
  id?: string | null;
  role: "user" | "assistant";
  content: string;
  timestamp?: string | null;
}

/** A device with its credential, which is shown once. */
export interface RegisteredDevice {
  /** As you gave it. */
  id: string;
  /** Null: it never synced. */
  sync_status: SyncStatus | null;
  conflict: ConflictKind | null;
  conflict_state: DeviceConflictState | null;
  /** What may be decided about the conflict, by `resolve`. */
  ways_out: Array<DeviceResolution>;
  /** The same in words, by Accept-Language. */
  state: string;
  last_seen_at: string | null;
  /** How often it began with an empty file. */
  installations: number;
  /** Opens what this device asks: sync and requests of the person's. */
  token: string;
  token_expires_at: string;
}

/** Why a pair was not kept; its number is used up all the same. */
export type RejectionCode = "invalid" | "consent" | "erased" | "session_paused" | "session_elsewhere" | "not_kept";

/** Who said a message. */
export type Role = "user" | "assistant" | "system";

/** What to take back: what was learned since then, from there, or both. */
export interface Rollback {
  since?: string | null;
  session_id?: string | null;
  /** Only say what would go. */
  dry_run?: boolean;
}

/** The memories that are out of use now, or would be; oldest first. */
export interface RolledBack {
  memory_ids: Array<string>;
  dry_run: boolean;
}

/** A memory that was made. */
export interface SavedMemoryResponse {
  success?: true;
  memory: PersonaMemory;
  fallback: boolean;
  /** Memories that the plan's limit moved to the archive. */
  archived: Array<string>;
  /** For people, in Korean or English. */
  notice: string | null;
}

/** The session was erased. */
export interface SessionDeleted {
  type: "deleted";
}

/** A conversation with its messages in order, and what it was started with. */
export interface SessionDetail {
  id: string;
  status: Status;
  language: string;
  persona_id: string | null;
  /** As you gave it. */
  device_id: string | null;
  current_layer: Layer | null;
  active_workflow_id: string | null;
  last_route: string | null;
  message_count: number;
  pair_count: number;
  total_turns: number;
  total_tokens: number;
  /** Exact, hence a string. */
  total_cost: string;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  /** When it ended, however it did. */
  completed_at: string | null;
  ended_reason: string | null;
  max_pairs: number | null;
  /** The full session before it. */
  continues: string | null;
  /** Where it goes on, being full. */
  continued_by: string | null;
  /** Messages that extraction has yet to read. */
  unread_count: number;
  config: Record<string, JsonValue>;
  reading: ReadingView;
  messages: Array<MessageView>;
  /** Whether messages follow the last one. */
  has_more: boolean;
}

/** The session is over, and everything that was said in it has been told. */
export interface SessionEnded {
  type: "ended";
  status: Status;
  reason: string | null;
  /** The session in which the conversation goes on. */
  continued_by: string | null;
}

/** What happens in a session, as it happens (B10). */
export type SessionEvent = SessionSnapshot | StatusChanged | LayerChanged | AnswerWord | TokensUsed | MessageAdded | SessionEnded | SessionDeleted | Pong;

/** Conversations, newest first, and how many there are in all. */
export interface SessionList {
  sessions: Array<SessionView>;
  total: number;
  has_more: boolean;
}

/** Where the session stands when a follower arrives; always first. */
export interface SessionSnapshot {
  type: "session";
  id: string;
  status: Status;
  layer: string | null;
  message_count: number;
  total_turns: number;
  total_tokens: number;
  /** Exact, hence a string. */
  total_cost: number | string;
  updated_at: string;
  /** How many follow the session, this one included. */
  clients: number;
  /** Messages follow from the position after this one. */
  after: number;
}

/** What a conversation was about, in one or two sentences (A02, E04). */
export interface SessionSummaryView {
  session_id: string;
  summary: string;
  topics: Array<string>;
  emotion: Emotion;
  /** 1 to 10. */
  importance: number;
  open_tasks: Array<string>;
  preferences: Array<string>;
  /** Whether the model was away or refused, and the original stands in. */
  is_fallback: boolean;
  /** What made it, with its version. */
  summarizer: string;
  /** The messages it rests on. */
  message_ids: Array<string>;
  updated_at: string;
}

/** A conversation (A02, B02). */
export interface SessionView {
  id: string;
  status: Status;
  language: string;
  persona_id: string | null;
  /** As you gave it. */
  device_id: string | null;
  current_layer: Layer | null;
  active_workflow_id: string | null;
  last_route: string | null;
  message_count: number;
  pair_count: number;
  total_turns: number;
  total_tokens: number;
  /** Exact, hence a string. */
  total_cost: string;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  /** When it ended, however it did. */
  completed_at: string | null;
  ended_reason: string | null;
  max_pairs: number | null;
  /** The full session before it. */
  continues: string | null;
  /** Where it goes on, being full. */
  continued_by: string | null;
  /** Messages that extraction has yet to read. */
  unread_count: number;
}

/** Settings to change; what is left out or null stays as it is. `retention_days` takes null as a value, which keeps memories until erased, and so does `words_days`, which keeps words as long as usual. */
export interface SettingsChange {
  is_enabled?: boolean | null;
  auto_extraction?: boolean | null;
  allowed_categories?: Array<Category> | null;
  /** 1 to 10,000. */
  max_memories?: number | null;
  /** 1 to 36,500. */
  retention_days?: number | null;
  promotion_policy?: Policy | null;
  /** 1 to 36,500. */
  words_days?: number | null;
}

/** The summary of a day, as it came down. */
export interface ShortTermBody {
  date_key: string;
  summary_text?: string;
}

/** How a memory came to be (D01). */
export type SourceType = "explicit" | "inferred" | "system";

/** A turn that the device still holds. */
export interface SpokenTurnBody {
  user_text: string;
  assistant_text?: string;
  route_family?: string | null;
}

/** Where a session stands (B04). */
export type Status = "created" | "active" | "paused" | "completed" | "failed" | "expired";

/** The session has another status. */
export interface StatusChanged {
  type: "status";
  status: Status;
}

/** A conversation's summary; null when there is nothing to say. */
export interface SummedUp {
  summary: SessionSummaryView | null;
}

/** How far a device has applied what came down. */
export interface SyncAck {
  /** Your id of the device, up to 128 characters. */
  device_id: string;
  /** Made by the device when it starts empty. */
  incarnation: string;
  epoch: string;
  down: number;
}

/** One thing as it is now. */
export interface SyncChange {
  /** conversation_pair, session, short_term_summary, mid_term_summary, user_memory, memory_candidate, memory_settings, consent or user. */
  entity: string;
  /** null of what a person has one of. */
  id: string | null;
  operation: "put" | "delete";
  /** null of what is to be erased. */
  item: SyncedPair | SyncedSession | DaySummaryView | WeekSummaryView | SyncedMemory | MemoryCandidate | MemorySettings | ConsentList | PersonView | null;
}

/** Where a device stands (A08). */
export interface SyncCursorView {
  cursor_id: string;
  device_id: string;
  last_pair_seq: number;
  last_cloud_update_seq: number;
  last_sync_at: string;
  sync_status: SyncStatus;
  conflict_state: Record<string, unknown> | null;
}

/** Where a device stands. */
export interface SyncGreeting {
  epoch: string;
  /** Push what follows this. */
  up: SyncPosition;
  /** The number of the last change there is. */
  head: number;
  /** The cloud's clock, in ms since 1970. */
  server_ms: number;
  limits: SyncLimits;
  /** wipe: erase what came down, nothing may be held here. snapshot: take a whole copy before anything else. send: somebody resolved the conflict; become a new incarnation and send all that is still here. discard: put that aside first. */
  actions: Array<"wipe" | "snapshot" | "send" | "discard">;
}

/** Who a device is and where it stands. */
export interface SyncHello {
  /** Your id of the device, up to 128 characters. */
  device_id: string;
  /** Made by the device when it starts empty. */
  incarnation: string;
  /** As hello gave it; null before the first snapshot. */
  epoch?: string | null;
  /** The last pair it knows the cloud has taken. */
  up: SyncPosition;
  /** The last change it has applied. */
  down?: number;
  /** Pairs that wait for somebody to resolve a conflict; sent only where limits.resolutions was offered. null: nobody is waited for. */
  waiting?: number | null;
  /** The version it speaks. */
  proto?: number;
}

/** The most of one push, and the longest wait of a pull. */
export interface SyncLimits {
  pairs?: number;
  /** Of one push of several pairs, not compressed. */
  bytes: number;
  /** The most seconds that a pull may wait. */
  wait_s?: number;
  /** Content-Encoding that a body may have. */
  encodings?: Array<"gzip">;
  /** What hello may ask of a device that says what waits for somebody. */
  resolutions?: Array<DeviceResolution>;
}

/** What changed: applied wholly or not at all, and only where `since` is reached. */
export interface SyncPage {
  epoch: string;
  since: number;
  /** Where the next pull goes on. */
  to: number;
  head: number;
  more: boolean;
  /** Nothing may be held: erase what came down. */
  wipe: boolean;
  changes: Array<SyncChange>;
}

/** A pair that was said on the device (A01). */
export interface SyncPair {
  seq: number;
  /** The same however often it is sent. */
  pair_id: string;
  /** Your id of the session; it starts by itself. */
  session: string;
  /** As whom you spoke. */
  persona?: string | null;
  user_text: string;
  assistant_text: string;
  route_family?: string | null;
  planner_summary?: Record<string, JsonValue>;
  /** By the device's clock, in ms since 1970. */
  client_ms?: number | null;
  /** Name of who spoke, where it was not the person. */
  speaker?: string | null;
}

/** A place in what a device has sent: its last number, and the chain up to it. */
export interface SyncPosition {
  seq: number;
  chain: string;
}

/** Pairs that a device was told, in order. */
export interface SyncPush {
  /** Your id of the device, up to 128 characters. */
  device_id: string;
  /** Made by the device when it starts empty. */
  incarnation: string;
  epoch: string;
  /** The position before the first pair. */
  base: SyncPosition;
  pairs: Array<SyncPair>;
}

/** How far the cloud has taken what was said; it survives a crash. */
export interface SyncPushed {
  up: SyncPosition;
  head: number;
  rejected: Array<SyncRejection>;
}

/** A pair that was not kept; its number is used up. */
export interface SyncRejection {
  seq: number;
  code: RejectionCode;
}

/** A part of everything a device may hold. */
export interface SyncSnapshot {
  epoch: string;
  /** Pull from here once the last part is in place. */
  seq: number;
  /** null with the last part. */
  next_page: string | null;
  wipe: boolean;
  items: Array<SyncChange>;
}

/** Where a device stands, as the cloud sees it (A08). */
export type SyncStatus = "ok" | "pending" | "conflict" | "error";

/** A confirmed memory (A06). */
export interface SyncedMemory {
  id: string;
  content: string;
  category: Category;
  /** The part of a person's life it is about, such as home, work or pet; null where that is not plain. */
  subcategory: string | null;
  /** 0 to 1, after time has faded it. */
  confidence: number;
  /** How far it bore on the question of the last prompt that had it, from 0 to 1; 0 before. */
  relevance_score: number;
  /** explicit: somebody asked for it to be remembered; inferred: it was found in what the person said. */
  source_type: SourceType;
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  /** The device erases it then. */
  expires_at: string | null;
  source_message_ids: Array<string>;
}

/** A pair with its words (A01). */
export interface SyncedPair {
  pair_id: string;
  session_id: string;
  device_id: string | null;
  turn_index: number;
  user_text: string;
  assistant_text: string;
  route_family: string | null;
  planner_summary: Record<string, unknown>;
  sensitive_flags: Record<string, number>;
  created_at: string;
  said_at: string;
  /** The device erases it then. */
  retention_until: string;
  /** Name of who spoke, where it was not the person. */
  speaker: string | null;
}

/** A session without its words (A02). */
export interface SyncedSession {
  session_id: string;
  device_id: string | null;
  status: "active" | "paused" | "completed" | "failed" | "expired";
  started_at: string;
  ended_at: string | null;
  pair_count: number;
  active_workflow_id: string | null;
  last_route: string | null;
  continues: string | null;
  continued_by: string | null;
  session_summary: SessionSummaryView | null;
}

/** The sums of the session have grown. */
export interface TokensUsed {
  type: "tokens";
  total_turns: number;
  total_tokens: number;
  /** Exact, hence a string. */
  total_cost: number | string;
}

/** One message as the client has it; `id` and `timestamp` are the client's. */
export interface TranscriptMessage {
  /** Up to 128 characters. */
  id?: string | null;
  role: Role;
  /** An empty one is left out. */
  content: string;
  /** When it was said. It decides whether a message that is sent again counts once some of the conversation was erased or is no longer kept; where nothing else tells, it must be given. */
  timestamp?: string | null;
}

/** How far a memory is trusted, least first: what it rests on. */
export type Trust = "observed" | "import" | "stated" | "requested" | "confirmed";

/** What was asked for again and again at one time of day. */
export interface UsagePatternView {
  /** As you gave it. */
  device_id: string | null;
  route_family: string | null;
  band: "night" | "morning" | "afternoon" | "evening";
  count: number;
  /** On how many days. */
  days: number;
  text: string;
}

/** One thing remembered about a person (D12). */
export interface UserMemory {
  id: string;
  content: string;
  category: Category;
  /** The part of a person's life it is about, such as home, work or pet; null where that is not plain. */
  subcategory: string | null;
  /** 0 to 1, after time has faded it. */
  confidence: number;
  /** How far it bore on the question of the last prompt that had it, from 0 to 1; 0 before. */
  relevance_score: number;
  /** explicit: somebody asked for it to be remembered; inferred: it was found in what the person said. */
  source_type: SourceType;
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
}

/** What was said before, as the device knows it. */
export interface VoiceContext {
  session_id?: string | null;
  /** Oldest first. */
  recent_turns?: Array<SpokenTurnBody>;
  history_hint_strength?: HintStrength;
  /** Empty or null: the cloud's, if any is under way. */
  active_workflow_id?: string | null;
}

/** Summaries of weeks, newest first. */
export interface WeekSummaryList {
  summaries: Array<WeekSummaryView>;
}

/** What an ISO week was about (A04). */
export interface WeekSummaryView {
  summary_id: string;
  /** The ISO week, such as 2026-W47. */
  week_key: string;
  summary_text: string;
  repeated_topics: Array<string>;
  device_usage_patterns: Array<UsagePatternView>;
  unresolved_items: Array<string>;
  source_summary_ids: Array<string>;
  /** Whether the model was away or refused, and the original stands in. */
  is_fallback: boolean;
  created_at: string;
  updated_at: string;
  expires_at: string;
}

/** What was erased, named as it was known, and what the person should be asked. */
export interface WishFulfilled {
  forgotten: Array<string>;
  unsure: Array<PossiblyMeant>;
  /** Messages about it, never found or read again. */
  messages: number;
}

/** What somebody wants forgotten. */
export interface WishToForget {
  /** The wish ("forget where I live") or the thing ("my job"), up to 4,000 bytes of UTF-8. */
  about: string;
}

/** Every call: what it takes in the query and the body, what it answers. */
export interface Operations {
  /** Return the person's language, time zone and plan. */
  "GET /api/v1/users/me": {
    query: undefined;
    body: undefined;
    answer: PersonView;
  };
  /** Change the language or time zone; what is left out or null stays as it is. The language is that of headings, notices and greetings from the next answer on. The time zone says when a day begins: summaries of days and weeks whose conversations now belong to another date are made again. */
  "PATCH /api/v1/users/me": {
    query: undefined;
    body: PersonChange;
    answer: PersonView;
  };
  /** Erase everything about the person for good; asking again changes nothing. It takes no parameters: with some, another call was meant. The receipt is the first of `erasure-receipts`. */
  "DELETE /api/v1/users/me": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Return the person's memories, newest first. */
  "GET /api/v1/users/me/memories": {
    query: {
      /** Most to return. */
      limit?: number;
      /** How many to leave out first. */
      offset?: number;
      /** Deactivated, superseded and expired ones too. */
      include_inactive?: boolean;
      /** Only memories of this category. */
      category?: Category | null;
    };
    body: undefined;
    answer: MemoryList;
  };
  /** Remember a fact; one that is known already is confirmed instead. */
  "POST /api/v1/users/me/memories": {
    query: undefined;
    body: NewMemory;
    answer: UserMemory;
  };
  /** Erase every memory of the person, active or not. */
  "DELETE /api/v1/users/me/memories": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Erase what a wish to forget names, and everything that was said of it. What may be meant but need not be is not erased: ask, and confirm its candidate. */
  "POST /api/v1/users/me/memories/forget": {
    query: undefined;
    body: WishToForget;
    answer: WishFulfilled;
  };
  /** Take out of use what was learned since a time or from a session. What that had replaced is in use again, and candidates from there expire. Nothing is erased: each can be reactivated. Only to look (`dry_run`) takes the right to read. */
  "POST /api/v1/users/me/memories/rollback": {
    query: undefined;
    body: Rollback;
    answer: RolledBack;
  };
  /** Return the memories that an answer rests on, to be shown beside it. What was forgotten since is left out. */
  "GET /api/v1/users/me/memories/sources": {
    query: {
      /** Of a block's lines. */
      memory_id: Array<string>;
    };
    body: undefined;
    answer: AnswerSources;
  };
  /** Return what was learned, changed or set aside, to be told to the person. Oldest first; what was forgotten has left no line. Who goes on with `after` misses nothing; times alone miss what was under way. */
  "GET /api/v1/users/me/memories/updates": {
    query: {
      /** Only what happened after this. */
      since?: string | null;
      /** The `cursor` of the answer before. */
      after?: string | null;
      /** Most to return. */
      limit?: number;
    };
    body: undefined;
    answer: MemoryEventList;
  };
  /** Return one memory with its source and its history. */
  "GET /api/v1/users/me/memories/{memory_id}": {
    query: undefined;
    body: undefined;
    answer: MemoryDetail;
  };
  /** Correct a memory, or say what becomes of it once its time is over (A06). Corrected, it is told by a new memory, with an id of its own, which is returned, also where the same change is sent again. */
  "PATCH /api/v1/users/me/memories/{memory_id}": {
    query: undefined;
    body: MemoryChange;
    answer: UserMemory;
  };
  /** Erase one memory for good, with its history and candidates. The receipt is among `erasure-receipts`. */
  "DELETE /api/v1/users/me/memories/{memory_id}": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Have a memory stand first in every prompt, and not fade. */
  "PUT /api/v1/users/me/memories/{memory_id}/pin": {
    query: undefined;
    body: undefined;
    answer: UserMemory;
  };
  /** Have a memory fade and rank as any other. */
  "DELETE /api/v1/users/me/memories/{memory_id}/pin": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Take a memory out of use without losing it. */
  "POST /api/v1/users/me/memories/{memory_id}/deactivate": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Put a memory back in use. */
  "POST /api/v1/users/me/memories/{memory_id}/reactivate": {
    query: undefined;
    body: undefined;
    answer: UserMemory;
  };
  /** Return claims that are not memories yet, or no longer will be, newest first. */
  "GET /api/v1/users/me/memory-candidates": {
    query: {
      status?: CandidateStatus | null;
      /** Most to return. */
      limit?: number;
      /** How many to leave out first. */
      offset?: number;
      /** Only those in quarantine, which a review releases. */
      held?: boolean;
    };
    body: undefined;
    answer: CandidateList;
  };
  /** Carry out a candidate because the person reviewed it; this ends a quarantine. */
  "POST /api/v1/users/me/memory-candidates/{candidate_id}/confirm": {
    query: undefined;
    body: undefined;
    answer: Confirmed;
  };
  /** Refuse a candidate; exactly this claim is never proposed again. */
  "POST /api/v1/users/me/memory-candidates/{candidate_id}/reject": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Return what is known of the person, each value with what it rests on. */
  "GET /api/v1/users/me/profile": {
    query: undefined;
    body: undefined;
    answer: ProfileCard;
  };
  /** Make the card what is given: other values are erased, new ones remembered. */
  "PUT /api/v1/users/me/profile": {
    query: undefined;
    body: CardBody;
    answer: ProfileCard;
  };
  /** Add to lists, replace single values, ignore empty ones (C02). */
  "PATCH /api/v1/users/me/profile": {
    query: undefined;
    body: CardBody;
    answer: ProfileCard;
  };
  /** Erase a place of the card or a value of it, with the memories it rests on. The card is made of everything that is remembered: to erase all of it, say so with `all=true`. */
  "DELETE /api/v1/users/me/profile": {
    query: {
      /** Only this place of the card. */
      field?: CardField | null;
      /** Only this value of the place: name its `field`. */
      value?: string;
      /** Every memory of the person, active or not. */
      all?: boolean;
    };
    body: undefined;
    answer: undefined;
  };
  /** Return the person's settings. */
  "GET /api/v1/users/me/memory-settings": {
    query: undefined;
    body: undefined;
    answer: MemorySettings;
  };
  /** Change the settings that are given and return all of them. */
  "PATCH /api/v1/users/me/memory-settings": {
    query: undefined;
    body: SettingsChange;
    answer: MemorySettings;
  };
  /** Return what is remembered of the person, in numbers (D14). */
  "GET /api/v1/users/me/memory-usage": {
    query: undefined;
    body: undefined;
    answer: MemoryUsage;
  };
  /** Return the person's standing decision for every purpose. */
  "GET /api/v1/users/me/consents": {
    query: undefined;
    body: undefined;
    answer: ConsentList;
  };
  /** Note decisions; a withdrawal holds at once, and what was kept for it goes. */
  "PUT /api/v1/users/me/consents": {
    query: undefined;
    body: ConsentChange;
    answer: ConsentList;
  };
  /** Return the person's plan. */
  "GET /api/v1/users/me/plan": {
    query: undefined;
    body: undefined;
    answer: PlanView;
  };
  /** Put the person on a plan, which takes the right `admin`. On the smaller one, what is over its limit is archived and not lost. */
  "PUT /api/v1/users/me/plan": {
    query: undefined;
    body: PlanChange;
    answer: PlanView;
  };
  /** Return the person's devices: when each was heard of, and if it is in step. */
  "GET /api/v1/users/me/devices": {
    query: undefined;
    body: undefined;
    answer: DeviceList;
  };
  /** Register a device, and return a credential that is good for it alone. The credential opens what devices ask and nothing else. Registering the device again gives another one; shut the device out to have none of them work any more. One that was shut out stays so: register it under another id. */
  "POST /api/v1/users/me/devices": {
    query: undefined;
    body: NewDevice;
    answer: RegisteredDevice;
  };
  /** Decide about a device's conflict, as its `ways_out` allow. A device that waits for somebody (`needs_person`) hears of it when it next asks. A fork or a restored cloud it ends by itself, by sending: of one that does not come back any more, `send` says that its conflict is over. 409: nothing is to be decided. */
  "POST /api/v1/users/me/devices/{device_id}/resolve": {
    query: undefined;
    body: ConflictResolution;
    answer: DeviceView;
  };
  /** Erase a device, what was said on it, and all that was learned from that alone. The id is yours. The receipt is the first of `erasure-receipts`. With `words=keep` the device is shut out and forgotten, and what was said on it stays. */
  "DELETE /api/v1/users/me/devices/{device_id}": {
    query: {
      words?: "erase" | "keep";
    };
    body: undefined;
    answer: undefined;
  };
  /** Return the person's receipts, newest first; they outlive the person. */
  "GET /api/v1/users/me/erasure-receipts": {
    query: undefined;
    body: undefined;
    answer: ReceiptList;
  };
  /** Return one receipt. */
  "GET /api/v1/users/me/erasure-receipts/{receipt_id}": {
    query: undefined;
    body: undefined;
    answer: ErasureReceipt;
  };
  /** Return which devices have heard of an erasure: done, pending or expired. */
  "GET /api/v1/users/me/erasure-receipts/{receipt_id}/devices": {
    query: undefined;
    body: undefined;
    answer: DeviceErasureList;
  };
  /** Return what happened to the person's data, newest first, without content. It outlives the person's erasure, to show that it took place. */
  "GET /api/v1/users/me/audit": {
    query: {
      /** Most to return. */
      limit?: number;
      /** Only lines before this position. */
      before?: number | null;
      /** Only lines of this kind; "access" is who read what. */
      event?: "create" | "update" | "delete" | "export" | "mask" | "access" | null;
    };
    body: undefined;
    answer: AuditPage;
  };
  /** Return the person's conversations, newest first. */
  "GET /api/v1/sessions": {
    query: {
      status?: Status | null;
      /** Most to return. */
      limit?: number;
      /** How many to leave out first. */
      offset?: number;
    };
    body: undefined;
    answer: SessionList;
  };
  /** Start a conversation; the body may be left out. An app's key that may act as people and names nobody, neither in `X-Gieok-User` nor in `user_id`, starts an anonymous one: nothing of it becomes a memory, and it is erased when it is over, in 24 hours at most. Its id is all that leads to it. */
  "POST /api/v1/sessions": {
    query: undefined;
    body: NewSession | null;
    answer: SessionView;
  };
  /** Return a conversation with its messages, in order. No more than 8 MB of them, and a message at least: with `has_more`, go on with `start` after the `position` of the last. */
  "GET /api/v1/sessions/{session_id}": {
    query: {
      /** `position` of the first message. */
      start?: number;
      /** Most messages to return. */
      limit?: number;
    };
    body: undefined;
    answer: SessionDetail;
  };
  /** Erase a conversation and all that was learned from it alone. */
  "DELETE /api/v1/sessions/{session_id}": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Return how far what was said has been read into memory; ask again until it is. */
  "GET /api/v1/sessions/{session_id}/reading": {
    query: undefined;
    body: undefined;
    answer: ReadingView;
  };
  /** Record what both sides said; once this answers, it survives a crash. The answer names the session it is in: the next one, if this one was full. Where no answer came, send it again with the same `Idempotency-Key`. */
  "POST /api/v1/sessions/{session_id}/turns": {
    query: undefined;
    body: NewTurn;
    answer: PairView;
  };
  /** Record a single message. */
  "POST /api/v1/sessions/{session_id}/messages": {
    query: undefined;
    body: NewMessage;
    answer: MessageView;
  };
  /** Stop an active conversation until it is resumed, for 24 hours at most. */
  "POST /api/v1/sessions/{session_id}/pause": {
    query: undefined;
    body: undefined;
    answer: SessionView;
  };
  /** Go on with a paused conversation; one that has ended stays so. */
  "POST /api/v1/sessions/{session_id}/resume": {
    query: undefined;
    body: undefined;
    answer: SessionView;
  };
  /** End a conversation; what was said in it is extracted at once. */
  "POST /api/v1/sessions/{session_id}/close": {
    query: undefined;
    body: undefined;
    answer: SessionView;
  };
  /** Return what the person's days were about, newest first. */
  "GET /api/v1/summaries/days": {
    query: {
      /** Most to return. */
      limit?: number;
      /** Only days before this one, such as 2026-11-16. */
      before?: string | null;
    };
    body: undefined;
    answer: DaySummaryList;
  };
  /** Return what the person's weeks were about, newest first. */
  "GET /api/v1/summaries/weeks": {
    query: {
      /** Most to return. */
      limit?: number;
      /** Only weeks before this one, such as 2026-W47. */
      before?: string | null;
    };
    body: undefined;
    answer: WeekSummaryList;
  };
  /** Return what a conversation was about, summed up now if need be. */
  "GET /api/v1/sessions/{session_id}/summary": {
    query: undefined;
    body: undefined;
    answer: SummedUp;
  };
  /** Return what answers a question best, best first. */
  "POST /api/v1/recall": {
    query: undefined;
    body: RecallQuestion;
    answer: RecallAnswer;
  };
  /** Return what is known that bears on an utterance, as one fenced block. */
  "POST /api/v1/context": {
    query: undefined;
    body: ContextQuestion;
    answer: ContextBlock;
  };
  /** Return a persona's reply, which knows what was talked about before. Once it answers, the turn survives a crash. When no reply comes (503) nothing was kept, and the message can be sent again. Sent again with the same `Idempotency-Key`, a message that was answered is answered with the reply that was kept. */
  "POST /api/v1/chat/send": {
    query: undefined;
    body: ChatMessage;
    answer: ChatReply;
  };
  /** End a conversation at once, instead of 30 minutes after its last message. */
  "POST /api/v1/chat/close": {
    query: undefined;
    body: ChatToClose;
    answer: ChatClosed;
  };
  /** Answer a message in a new conversation, or go on with one. The run pauses before planning, unless `interrupt` is false. The turn is kept once the answer is there; a run that fails ends the conversation as failed, with what was said. With `Accept: text/event-stream` layers and words come as they happen; who stops listening does not stop the run. */
  "POST /api/v1/agent/run": {
    query: undefined;
    body: AgentMessage;
    answer: AgentRun;
  };
  /** Go on with a run that is paused, or whose server died, its plan edited or not. Of two who resume at once one gets 409; a conversation that is over stays so. */
  "POST /api/v1/agent/{session_id}/resume": {
    query: undefined;
    body: AgentResume | null;
    answer: AgentRun;
  };
  /** Return where the last run of a conversation stands. */
  "GET /api/v1/agent/{session_id}/state": {
    query: undefined;
    body: undefined;
    answer: AgentRun;
  };
  /** Sum up a conversation and keep what it was about. Without a model that answers, a part of the conversation itself is kept. Where the plan's limit is reached, the least important memory is archived, which may be this. */
  "POST /api/v1/memory/summarize": {
    query: undefined;
    body: ConversationToKeep;
    answer: SavedMemoryResponse;
  };
  /** Keep a conversation, in the words of `manualSummary` if that is given. */
  "POST /api/v1/memory/create": {
    query: undefined;
    body: MemoryToCreate;
    answer: SavedMemoryResponse;
  };
  /** Return the memories with which a conversation starts, most important first. */
  "GET /api/v1/memory/load": {
    query: {
      /** Up to 128 characters, yours. */
      personaId: string;
      /** Most to return. */
      limit?: number;
    };
    body: undefined;
    answer: MemoriesLoaded;
  };
  /** Return memories of one persona or of all, newest first. */
  "GET /api/v1/memory/list": {
    query: {
      /** By default, all of them. */
      personaId?: string | null;
      /** Most to return. */
      limit?: number;
      /** How many to leave out first. */
      offset?: number;
      /** Only memories with all of these tags (E23). */
      tag?: Array<string>;
      includeArchived?: boolean;
    };
    body: undefined;
    answer: MemoriesListed;
  };
  /** Return the memories that hold what is asked for, best first (E21). */
  "GET /api/v1/memory/search": {
    query: {
      /** Words of a summary, topic or tag. */
      q: string;
      /** By default, all of them. */
      personaId?: string | null;
      /** Most to return. */
      limit?: number;
      /** Only memories with all of these tags (E23). */
      tag?: Array<string>;
    };
    body: undefined;
    answer: MemoriesLoaded;
  };
  /** Change a memory; a later summary of its conversation leaves that alone. */
  "PATCH /api/v1/memory/{memory_id}": {
    query: undefined;
    body: PersonaMemoryChange;
    answer: MemoryAnswer;
  };
  /** Erase a memory for good. */
  "DELETE /api/v1/memory/{memory_id}": {
    query: undefined;
    body: undefined;
    answer: MemoryGone;
  };
  /** Take a memory out of use without losing it. */
  "POST /api/v1/memory/{memory_id}/archive": {
    query: undefined;
    body: undefined;
    answer: MemoryArchived;
  };
  /** Take a memory out of the archive; a less important one may give way to it. */
  "POST /api/v1/memory/{memory_id}/restore": {
    query: undefined;
    body: undefined;
    answer: SavedMemoryResponse;
  };
  /** Prepare an export of everything; the link works for a day, for this person only. What waits is sealed with a key that stands in the link alone. It takes the place of the one that waits; 409: another one is still being made. */
  "POST /api/v1/users/me/export": {
    query: undefined;
    body: undefined;
    answer: ExportLink;
  };
  /** Return a prepared export. */
  "GET /api/v1/users/me/export/{token}": {
    query: undefined;
    body: undefined;
    answer: string;
  };
  /** Say who a device is; a new one joins. The first call after every time apart. 409 `sync_fork`: another installation sent other words under these numbers; make a new incarnation and send again, under the same pair ids, what is still there. 410: the device empties itself. */
  "POST /api/v1/sync/hello": {
    query: undefined;
    body: SyncHello;
    answer: SyncGreeting;
  };
  /** Keep what was said on the device; repeating it changes nothing. 413 `batch_too_large`: several pairs hold more than hello's `limits.bytes`; nothing was taken, send fewer. A single pair may be larger. 409 `sync_gap`, `sync_fork`, `sync_epoch` or `sync_unknown`: nothing was taken, say hello. A pair in `rejected` is not kept; the ones after it are. */
  "POST /api/v1/sync/push": {
    query: undefined;
    body: SyncPush;
    answer: SyncPushed;
  };
  /** Return what changed since a change number, at once or within `wait` seconds. 409 `sync_epoch`: take a snapshot. */
  "GET /api/v1/sync/pull": {
    query: {
      since: number;
      limit?: number;
      /** Seconds in which the answer may wait for a change. */
      wait?: number;
      /** Your id of the device. */
      device_id: string;
      /** Made when the device started empty. */
      incarnation: string;
      /** As hello gave it. */
      epoch: string;
    };
    body: undefined;
    answer: SyncPage;
  };
  /** Return a part of everything that a device may hold. */
  "GET /api/v1/sync/snapshot": {
    query: {
      page?: string | null;
      limit?: number;
      /** Your id of the device. */
      device_id: string;
      /** Made when the device started empty. */
      incarnation: string;
      /** As hello gave it. */
      epoch: string;
    };
    body: undefined;
    answer: SyncSnapshot;
  };
  /** Note that a device has applied all changes up to a number. */
  "POST /api/v1/sync/ack": {
    query: undefined;
    body: SyncAck;
    answer: SyncCursorView;
  };
  /** Shut a device out for good: whatever it asks, it is told to empty itself (410). What was said on it stays; `DELETE /api/v1/users/me/devices/{device_id}` erases it. */
  "POST /api/v1/sync/revoke/{device_id}": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Return what a planner goes by, or what the configured one decided. */
  "POST /api/v1/a2a/requests": {
    query: {
      token_budget?: number;
    };
    body: ExchangeRequestBody;
    answer: ExchangeAnswerBody;
  };
  /** Keep what your own planner decided; repeating it changes nothing. */
  "POST /api/v1/a2a/results": {
    query: undefined;
    body: ExchangeResultBody;
    answer: ExchangeRecorded;
  };
  /** Chat, extract a card, save or get it: as `action` says, for the token's person. A `user_id` that names somebody else is refused. */
  "POST /api/v1/tutor": {
    query: undefined;
    body: Record<string, unknown>;
    answer: Record<string, unknown>;
  };
  /** Make a link to the person's pages; it works once, within ten minutes. Whoever opens it is that person there for twelve hours: give it to nobody else. */
  "POST /api/v1/pages/links": {
    query: undefined;
    body: undefined;
    answer: PageLink;
  };
  /** Sign the person out of their pages everywhere, and refuse every open link. */
  "DELETE /api/v1/pages/sign-ins": {
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Answer as long as the process runs. */
  "GET /health/live": {
    query: undefined;
    body: undefined;
    answer: Health;
  };
  /** Answer once both databases do. */
  "GET /health/ready": {
    query: undefined;
    body: undefined;
    answer: Health;
  };
}
