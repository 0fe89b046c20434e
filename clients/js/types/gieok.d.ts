/** The REST API of `gieok serve`, one attribute for each capability. */
import { Candidates, Memories, Profile } from "./memories.js";
import { Consents, Person, Settings, Summaries } from "./person.js";
import { Sessions } from "./sessions.js";
export type CallOptions = import("../types/calls.js").CallOptions;
export type Operation = import("../types/calls.js").Operation;
export type Answer<K extends Operation> = import("../types/calls.js").Answer<K>;
export type Arguments<K extends Operation> = import("../types/calls.js").Arguments<K>;
export type Body<K extends Operation> = NonNullable<import("../types/calls.js").Body<K>>;
/** A person's memory, on a server. */
export declare class Gieok {
    #private;
    sessions: Sessions;
    memories: Memories;
    candidates: Candidates;
    profile: Profile;
    settings: Settings;
    consents: Consents;
    summaries: Summaries;
    person: Person;
    /**
     * @param {import("./transport.js").ClientOptions} options `url` is the server's, and a
     *   token or key says whose memory it is.
     */
    constructor(options: import("./transport.js").ClientOptions);
    /**
     * Make any call of the API, such as `call("GET /api/v1/users/me/audit")`.
     *
     * @template {Operation} K
     * @param {K} operation
     * @param {{} extends Arguments<K> ? [options?: Arguments<K>] : [options: Arguments<K>]} given
     * @returns {Promise<Answer<K>>}
     */
    call<K extends Operation>(operation: K, ...given: {} extends Arguments<K> ? [options?: Arguments<K>] : [options: Arguments<K>]): Promise<Answer<K>>;
    /**
     * Search what was said and is known, best first.
     *
     * @param {string} query
     * @param {Omit<Body<"POST /api/v1/recall">, "query">} [how]
     * @param {CallOptions} [options]
     */
    recall(query: string, how?: Omit<Body<"POST /api/v1/recall">, "query">, options?: CallOptions): Promise<import("../types/openapi.js").RecallAnswer>;
    /**
     * Return the block of memory for the prompt that answers an utterance.
     *
     * @param {string} query
     * @param {Omit<Body<"POST /api/v1/context">, "query">} [how]
     * @param {CallOptions} [options]
     */
    context(query: string, how?: Omit<Body<"POST /api/v1/context">, "query">, options?: CallOptions): Promise<import("../types/openapi.js").ContextBlock>;
    /**
     * Return a persona's reply, with a server whose model talks. It is not tried again when
     * the connection breaks; sent again with the same `key`, a message that was answered is
     * answered as before.
     *
     * @param {Body<"POST /api/v1/chat/send">} message
     * @param {CallOptions} [options]
     */
    chat(message: Body<"POST /api/v1/chat/send">, options?: CallOptions): Promise<import("../types/openapi.js").ChatReply>;
}
export type LooseArguments = CallOptions & {
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
};
