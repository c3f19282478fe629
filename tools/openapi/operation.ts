import type { JsonSchema } from './json-schema.js';

/** Success of an operation. */
export interface Success {
  status: 200 | 303;
  description: string;
  /** Wire type of a JSON body; `html` for a page, `empty` without a body. */
  body: string;
}

export interface Operation {
  id: string;
  tag: string;
  summary: string;
  description: string;
  /** DTO classes of the parts of the request. */
  path?: string;
  query?: string;
  /** Several: exactly one form holds. */
  body?: string | readonly string[];
  /** Schemas of which the body matches one, where its DTO leaves more open. */
  bodyForms?: readonly JsonSchema[];
  /** The body may be left out. */
  isBodyOptional?: true;
  success: readonly Success[];
  /** Errors beyond those of every operation with this access, each with its reason. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 422, string>>;
  /** Quota of the organisation beside the rate limits, of which the excess is 429 too. */
  quota?: string;
  /** Answers carry an `ETag`, and `If-None-Match` is understood. */
  isCacheable?: true;
  /** Answers leave out what an operator has paused, and `x-paused` lists it. */
  leavesOutPaused?: true;
  /** The request header `Idempotency-Key` is understood. */
  isIdempotent?: true;
  /** Request that a test replays. */
  example?: {
    path?: Record<string, string>;
    query?: Record<string, string | readonly string[]>;
    body?: unknown;
  };
}

export const json = (body: string, description: string): readonly Success[] => [
  { status: 200, description, body },
];
