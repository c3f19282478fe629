// Matches the leading string fields; `createEnvelope` writes `data`, the only other one, last.
const TRACEPARENT = /^\{(?:"\w+":"(?:[^"\\]|\\.)*",)*?"traceparent":"([^"]*)"/;

/** Reads the `traceparent` of a serialised envelope without parsing its data. */
export const envelopeTraceparent = (envelope: string): string | undefined =>
  TRACEPARENT.exec(envelope)?.[1];
