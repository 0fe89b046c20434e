/**
 * Long-term memory for conversational agents: the client of gieok.
 *
 * `createTutor` has the three functions of the tutor's page; `Gieok` has the REST API.
 */
export { AnswerError, AuthenticationError, ConflictError, ConnectionError, GieokError, InvalidInputError, NotFoundError, NotPermittedError, RateLimitError, ServerError, TimeoutError, UnavailableError, } from "./errors.js";
export { Gieok } from "./gieok.js";
export { createTutor } from "./tutor.js";
export type FollowOptions = import("./events.js").FollowOptions;
export type SessionEvent = import("./events.js").SessionEvent;
export type TutorMessage = import("./messages.js").TutorMessage;
export type ClientOptions = import("./transport.js").ClientOptions;
export type Extraction = import("./tutor.js").Extraction;
export type Tutor = import("./tutor.js").Tutor;
export type TutorMemory = import("./tutor.js").TutorMemory;
export type TutorOptions = import("./tutor.js").TutorOptions;
export type TutorSettings = import("./tutor.js").TutorSettings;
/** @typedef {import("./events.js").FollowOptions} FollowOptions */
/** @typedef {import("./events.js").SessionEvent} SessionEvent */
/** @typedef {import("./messages.js").TutorMessage} TutorMessage */
/** @typedef {import("./transport.js").ClientOptions} ClientOptions */
/** @typedef {import("./tutor.js").Extraction} Extraction */
/** @typedef {import("./tutor.js").Tutor} Tutor */
/** @typedef {import("./tutor.js").TutorMemory} TutorMemory */
/** @typedef {import("./tutor.js").TutorOptions} TutorOptions */
/** @typedef {import("./tutor.js").TutorSettings} TutorSettings */
