/** Conversations that are on their way to be read, kept until they have arrived. */
export type TutorMessage = import("./messages.js").TutorMessage;
export type OutboxStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;
export type Pending = {
    key: string;
    userId: string;
    messages: TutorMessage[];
    /**
     * When it was put in, in milliseconds.
     */
    at: number;
    /**
     * Which one its page put in, from 1: several have the same `at`.
     */
    part: number;
};
/** Older ones are thrown away: nobody expects to be remembered from so long ago. */
export declare const LASTS_MS: number;
/** One entry of the storage for each: two pages at once change different ones. */
export declare class Outbox {
    #private;
    /** @param {OutboxStorage} storage */
    constructor(storage: OutboxStorage);
    /**
     * Keep a conversation; one for which there is no room is not kept, and still sent.
     *
     * @param {string} userId
     * @param {TutorMessage[]} messages
     * @returns {string | undefined} Its key, if it was kept.
     */
    add(userId: string, messages: TutorMessage[]): string | undefined;
    /** @param {string | undefined} key */
    remove(key: string | undefined): void;
    /**
     * Return somebody's conversations, oldest first, and throw away what is too old.
     *
     * @param {string} userId
     * @returns {Pending[]}
     */
    list(userId: string): Pending[];
}
