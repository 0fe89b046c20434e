/** Saves of what is remembered of one learner: one at a time, and the last is the last. */
export type TutorMemory = import("./tutor.js").TutorMemory;
export type Saved = {
    success: boolean;
};
export type Save = {
    memory: TutorMemory;
    /**
     * Ends the trying again, once there is a newer one.
     */
    stop: AbortController;
    resolve: (saved: Saved) => void;
    reject: (error: unknown) => void;
};
/** @typedef {import("./tutor.js").TutorMemory} TutorMemory */
/** @typedef {{ success: boolean }} Saved */
/**
 * @typedef {object} Save
 * @property {TutorMemory} memory
 * @property {AbortController} stop Ends the trying again, once there is a newer one.
 * @property {(saved: Saved) => void} resolve
 * @property {(error: unknown) => void} reject
 */
/** Sends the newest, and an older one where the newer ones are refused for good. */
export declare class SaveQueue {
    #private;
    /**
     * @param {(memory: TutorMemory, stop: AbortSignal) => Promise<Saved>} send Makes a save
     *   until `stop` ends the trying; a try under way it waits for.
     */
    constructor(send: (memory: TutorMemory, stop: AbortSignal) => Promise<Saved>);
    /**
     * Save once the try under way has ended: the server may still be doing it.
     *
     * @param {TutorMemory} memory
     * @returns {Promise<Saved>} Of the newer one, where this gave way to it.
     */
    add(memory: TutorMemory): Promise<Saved>;
}
