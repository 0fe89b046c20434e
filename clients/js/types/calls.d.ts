/** How calls of the REST API are typed, from what `openapi.d.ts` says of each. */
import type { Operations } from "./openapi.js";

/** A call, such as `"GET /api/v1/sessions/{session_id}"`. */
export type Operation = keyof Operations;

/** What a call answers. */
export type Answer<K extends Operation> = Operations[K]["answer"];

/** What a call takes as its body. */
export type Body<K extends Operation> = Operations[K]["body"];

/** What a call takes in its query. */
export type Query<K extends Operation> = Operations[K]["query"];

/** The names in braces in a call's address. */
export type PathNames<K extends string> =
  K extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; what it is aborted with is thrown. */
  signal?: AbortSignal | undefined;
  /** For one attempt, instead of the client's. */
  timeoutMs?: number | undefined;
  /** A UUID of your own for a turn: made again with it, the call is done once. */
  key?: string | undefined;
}

type Given<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: Value }
  : { [N in Name]: Value };
type Asked<Value> = [Value] extends [undefined]
  ? { query?: undefined }
  : Record<never, never> extends Value
    ? { query?: Value | undefined }
    : { query: Value };

/** What one call takes: the parts of its address, its query, its body. */
export type Arguments<K extends Operation> = CallOptions &
  ([PathNames<K>] extends [never]
    ? { path?: undefined }
    : { path: Record<PathNames<K>, string> }) &
  Asked<Query<K>> &
  Given<"body", Body<K>>;
