/** One request over HTTP: who calls, in which language, for how long, how often. */
import { Credentials } from "./credentials.js";
export type TransportOptions = {
    /**
     * Where the server is.
     */
    url: string;
    /**
     * Of what errors say; by default the browser's.
     */
    language?: "ko" | "en";
    /**
     * For one attempt; 30 seconds by default.
     */
    timeoutMs?: number;
    /**
     * How often a call is tried again; 3 by default.
     */
    retries?: number;
    /**
     * Another `fetch`.
     */
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
};
export type ClientOptions = TransportOptions & import("./credentials.js").CredentialOptions;
export type RequestOptions = {
    query?: Record<string, unknown>;
    /**
     * Sent as JSON.
     */
    body?: unknown;
    signal?: AbortSignal;
    /**
     * Ends the trying again; a try under way is waited for.
     */
    stop?: AbortSignal;
    timeoutMs?: number;
    /**
     * Whether doing it twice is as good as once.
     */
    isRepeatable?: boolean;
    /**
     * A UUID of the call's own, by which the server does it once.
     */
    key?: string;
    /**
     * Whether it outlives its page, where it is small enough.
     */
    keepalive?: boolean;
    /**
     * Its answer's content type, by default JSON's; another is
     * returned as text.
     */
    answerType?: string;
};
/**
 * @typedef {object} TransportOptions
 * @property {string} url Where the server is.
 * @property {"ko" | "en"} [language] Of what errors say; by default the browser's.
 * @property {number} [timeoutMs] For one attempt; 30 seconds by default.
 * @property {number} [retries] How often a call is tried again; 3 by default.
 * @property {(url: string, init: RequestInit) => Promise<Response>} [fetch] Another `fetch`.
 */
/** @typedef {TransportOptions & import("./credentials.js").CredentialOptions} ClientOptions */
/**
 * @typedef {object} RequestOptions
 * @property {Record<string, unknown>} [query]
 * @property {unknown} [body] Sent as JSON.
 * @property {AbortSignal} [signal]
 * @property {AbortSignal} [stop] Ends the trying again; a try under way is waited for.
 * @property {number} [timeoutMs]
 * @property {boolean} [isRepeatable] Whether doing it twice is as good as once.
 * @property {string} [key] A UUID of the call's own, by which the server does it once.
 * @property {boolean} [keepalive] Whether it outlives its page, where it is small enough.
 * @property {string} [answerType] Its answer's content type, by default JSON's; another is
 *   returned as text.
 */
/**
 * Most bytes that are sent to outlive their page: browsers refuse more than 64 KiB, of all
 * requests under way together.
 */
export declare const KEEPALIVE_BYTES = 60000;
/**
 * Return how many bytes a text is in UTF-8.
 *
 * @param {string} text
 * @returns {number}
 */
export declare function countBytes(text: string): number;
/** Sends requests. */
export declare class Transport {
    #private;
    /** @param {ClientOptions} options */
    constructor(options: ClientOptions);
    /** The server's address, without a slash at its end. */
    get url(): string;
    /** Who calls. */
    get credentials(): Credentials;
    /**
     * Return what the server answers: its JSON, text of another type that was asked for,
     * undefined for nothing.
     *
     * An answer of another type, such as a proxy's page, is a `GieokError` (`not_json`):
     * it says nothing of what became of the request.
     *
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} [options]
     * @returns {Promise<unknown>}
     */
    send(method: string, path: string, options?: RequestOptions): Promise<unknown>;
    /**
     * Wait until a call before has ended, as long as for an answer; throws where the caller
     * aborts, or it takes too long.
     *
     * @param {Promise<unknown>} before
     * @param {Pick<RequestOptions, "signal" | "timeoutMs">} options
     * @returns {Promise<void>}
     */
    waitForTurn(before: Promise<unknown>, { signal, timeoutMs }: Pick<RequestOptions, "signal" | "timeoutMs">): Promise<void>;
}
