/** The tutor's endpoint (C07): what is remembered of a learner, in three functions. */
export type TutorMessage = import("./messages.js").TutorMessage;
export type TutorMemory = {
    name?: string;
    occupation?: string;
    interests?: string[];
    learning_goals?: string[];
    preferences?: string[];
    mentioned_facts?: string[];
};
export type Extraction = {
    /**
     * What the learner said of themselves.
     */
    extracted: TutorMemory;
    /**
     * What is remembered now.
     */
    merged?: TutorMemory;
};
export type TutorSettings = {
    accent?: "us" | "uk" | "au" | "ca" | "in";
    level?: "beginner" | "intermediate" | "advanced";
    topic?: "daily" | "business" | "travel" | "interview" | "free";
};
export type TutorOwnOptions = {
    /**
     * Who is signed in; nothing for nobody.
     */
    getUserId: () => string | null | undefined;
    /**
     * Where conversations wait until they have arrived, such as `localStorage`. Without it,
     * what is longer than a browser sends for a page that has gone, or fails after it has
     * gone, is lost.
     */
    outbox?: import("./outbox.js").OutboxStorage;
};
export type TutorOptions = import("./transport.js").ClientOptions & TutorOwnOptions;
export type Tutor = ReturnType<typeof createTutor>;
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
export declare const MIN_MESSAGES = 4;
/**
 * Return the functions of the tutor's page, which need no `this`.
 *
 * @param {TutorOptions} options
 */
export declare function createTutor(options: TutorOptions): {
    getUserMemory: () => Promise<TutorMemory>;
    saveUserMemory: (memory: TutorMemory) => Promise<{
        success: boolean;
    }>;
    extractUserInfo: (messages: readonly TutorMessage[]) => Promise<Extraction>;
    resumeExtractions: () => Promise<Extraction>;
    discardExtractions: () => void;
    chat: (messages: readonly TutorMessage[], settings?: TutorSettings, { signal }?: {
        signal?: AbortSignal;
    }) => Promise<string>;
};
