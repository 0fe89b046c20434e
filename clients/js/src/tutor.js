/** The tutor's endpoint (C07): what is remembered of a learner, in three functions. */

import { GieokError, InvalidInputError } from "./errors.js";
import { MAX_MESSAGES, pickMessages, splitMessages } from "./messages.js";
import { Outbox } from "./outbox.js";
import { canPassOver, isFinal } from "./refusals.js";
import { SaveQueue } from "./saves.js";
import { KEEPALIVE_BYTES, Transport } from "./transport.js";

/** @typedef {import("./messages.js").TutorMessage} TutorMessage */

/**
 * What is remembered of a learner. Other programs may keep more in it.
 *
 * @typedef {object} TutorMemory
 * @property {string} [name]
 * @property {string} [occupation]
 * @property {string[]} [interests]
 * @property {string[]} [learning_goals]
 * @property {string[]} [preferences]
 * @property {string[]} [mentioned_facts]
 */

/**
 * @typedef {object} Extraction
 * @property {TutorMemory} extracted What the learner said of themselves.
 * @property {TutorMemory} [merged] What is remembered now.
 */

/**
 * @typedef {object} TutorSettings
 * @property {"us" | "uk" | "au" | "ca" | "in"} [accent]
 * @property {"beginner" | "intermediate" | "advanced"} [level]
 * @property {"daily" | "business" | "travel" | "interview" | "free"} [topic]
 */

/**
 * @typedef {object} TutorOwnOptions
 * @property {() => string | null | undefined} getUserId Who is signed in; nothing for nobody.
 * @property {import("./outbox.js").OutboxStorage} [outbox]
 *   Where conversations wait until they have arrived, such as `localStorage`. Without it,
 *   what is longer than a browser sends for a page that has gone, or fails after it has
 *   gone, is lost.
 */

/**
 * `url` is the endpoint itself, such as `https://memory.example/api/v1/tutor`.
 *
 * @typedef {import("./transport.js").ClientOptions & TutorOwnOptions} TutorOptions
 */

/** @typedef {ReturnType<typeof createTutor>} Tutor */

/** Fewer messages than this say nothing of anybody. */
export const MIN_MESSAGES = 4;
const REPLY_MS = 60_000;
/** What a body has besides messages, at most: a user id may be 128 characters of any kind. */
const ENVELOPE_BYTES = 1_000;
const PART_BYTES = KEEPALIVE_BYTES - ENVELOPE_BYTES;

/**
 * Return the functions of the tutor's page, which need no `this`.
 *
 * @param {TutorOptions} options
 */
export function createTutor(options) {
  const transport = new Transport(options);
  const outbox = options.outbox === undefined ? undefined : new Outbox(options.outbox);
  /** @type {Map<string, AbortController>} What stops the parts of each learner. */
  const stops = new Map();
  /** @type {Map<string, SaveQueue>} */
  const saves = new Map();

  /**
   * @param {Record<string, unknown> & { user_id?: string }} body
   * @param {import("./transport.js").RequestOptions} [how]
   * @returns {Promise<Record<string, any>>}
   */
  async function ask(body, how) {
    transport.credentials.setPerson(body.user_id);
    const answer = await transport.send("POST", "", { isRepeatable: true, ...how, body });
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
      throw new GieokError("The answer is not an object of JSON.", { code: "not_json" });
    }
    return answer;
  }

  /**
   * Return what is remembered of the learner; `{}` for nothing, or nobody signed in.
   *
   * @returns {Promise<TutorMemory>}
   */
  async function getUserMemory() {
    const userId = options.getUserId();
    if (!userId) return {};
    const answer = await ask({ action: "get_user_memory", user_id: userId });
    return answer.memory ?? {};
  }

  /**
   * Make this what is remembered of the learner; what it lacks is forgotten.
   *
   * A newer call waits for the answer to one that is under way. One that failed, and would
   * be tried again, gives way to it and returns what the newer one does; only where that
   * is refused for good, it is tried on.
   *
   * @param {TutorMemory} memory
   * @returns {Promise<{ success: boolean }>} Not successful where nobody is signed in, or
   *   somebody else once it is its turn.
   */
  async function saveUserMemory(memory) {
    const userId = options.getUserId();
    if (!userId) return { success: false };
    const queue = saves.get(userId) ?? new SaveQueue((...save) => sendSave(userId, ...save));
    saves.set(userId, queue);
    return queue.add(memory);
  }

  /**
   * @param {string} userId
   * @param {TutorMemory} memory
   * @param {AbortSignal} stop
   * @returns {Promise<{ success: boolean }>}
   */
  async function sendSave(userId, memory, stop) {
    if (isForSomebodyElse(userId)) return { success: false };
    const body = { action: "save_user_memory", user_id: userId, memory };
    const answer = await ask(body, { keepalive: true, stop });
    return { ...answer, success: answer.success === true };
  }

  /**
   * Have remembered what a learner said of themselves; wait for it or not.
   *
   * Under four messages, or with nobody signed in, it does nothing. It goes on when the
   * page is left, and is tried again when it fails.
   *
   * @param {readonly TutorMessage[]} messages
   * @returns {Promise<Extraction>}
   */
  async function extractUserInfo(messages) {
    const userId = options.getUserId();
    const picked = pickMessages(messages);
    if (!userId || picked.length < MIN_MESSAGES) return { extracted: {} };
    const parts = splitMessages(picked, PART_BYTES).map((part) => ({
      key: outbox?.add(userId, part),
      messages: part,
    }));
    return sendParts(userId, parts);
  }

  /**
   * Send what an earlier page left in the outbox; call it once somebody has signed in.
   *
   * @returns {Promise<Extraction>}
   */
  async function resumeExtractions() {
    const userId = options.getUserId();
    if (!userId || outbox === undefined) return { extracted: {} };
    return sendParts(userId, outbox.list(userId));
  }

  /**
   * Throw away what of the learner waits or is on its way, in the outbox and without one:
   * for whoever wants to be forgotten.
   */
  function discardExtractions() {
    const userId = options.getUserId();
    if (!userId) return;
    stops.get(userId)?.abort();
    stops.delete(userId);
    outbox?.list(userId).forEach(({ key }) => outbox.remove(key));
  }

  /**
   * Tell whether a token would be another learner's; one who signed out has theirs still.
   *
   * @param {string} userId
   */
  function isForSomebodyElse(userId) {
    return (options.getUserId() || userId) !== userId;
  }

  /**
   * @param {string} userId
   * @param {{ key: string | undefined, messages: TutorMessage[] }[]} parts
   * @returns {Promise<Extraction>} Of what was sent until it was discarded, or somebody
   *   else was there: the rest waits in the outbox for whose it is.
   */
  async function sendParts(userId, parts) {
    const stop = stops.get(userId) ?? new AbortController();
    stops.set(userId, stop);
    const how = { keepalive: true, timeoutMs: REPLY_MS, signal: stop.signal };
    /** @type {Extraction} */
    let all = { extracted: {} };
    /** @type {unknown} */
    let refusal;
    /** @type {(string | undefined)[]} Sent after a later part was taken, they would undo it. */
    let passedOver = [];
    for (const { key, messages } of parts) {
      if (isForSomebodyElse(userId)) return all;
      const body = { action: "extract_user_info", user_id: userId, messages };
      try {
        all = addExtraction(all, await ask(body, how));
        passedOver.forEach((each) => outbox?.remove(each));
        passedOver = [];
      } catch (error) {
        if (stop.signal.aborted || isForSomebodyElse(userId)) return all;
        if (!canPassOver(error, key !== undefined)) throw error;
        refusal ??= error; // the other parts may be fine
        if (!isFinal(error)) {
          passedOver.push(key);
          continue;
        }
      }
      outbox?.remove(key);
      if (stop.signal.aborted) return all;
    }
    if (refusal !== undefined) throw refusal;
    return all;
  }

  /**
   * Return what the tutor says next, knowing what is remembered.
   *
   * Where the last message has no words it throws an `InvalidInputError`, and sends nothing.
   *
   * @param {readonly TutorMessage[]} messages The call so far, of which the last 1,000 are sent;
   *   the last is the learner's.
   * @param {TutorSettings} [settings]
   * @param {{ signal?: AbortSignal }} [how]
   * @returns {Promise<string>}
   */
  async function chat(messages, settings = {}, { signal } = {}) {
    if (messages.length > 0 && pickMessages(messages.slice(-1)).length === 0) {
      const details = { code: "invalid_input", status: 0, field: "messages" };
      throw new InvalidInputError("The last message has no words.", details);
    }
    const userId = options.getUserId();
    const body = {
      action: "chat",
      messages: pickMessages(messages).slice(-MAX_MESSAGES),
      settings,
      ...(userId ? { user_id: userId } : {}),
    };
    const answer = await ask(body, { timeoutMs: REPLY_MS, signal });
    return String(answer.message ?? "");
  }

  return {
    getUserMemory,
    saveUserMemory,
    extractUserInfo,
    resumeExtractions,
    discardExtractions,
    chat,
  };
}

/**
 * Return two extractions as one: lists without repeats, single values as said last.
 *
 * @param {Extraction} all
 * @param {Record<string, any>} part
 * @returns {Extraction}
 */
function addExtraction(all, part) {
  /** @type {Record<string, unknown>} */
  const extracted = { ...all.extracted };
  for (const [name, value] of Object.entries(part.extracted ?? {})) {
    const before = extracted[name];
    const isList = Array.isArray(before) && Array.isArray(value);
    extracted[name] = isList ? [...new Set([...before, ...value])] : value;
  }
  return { ...all, ...part, extracted };
}
