import { randomUUID } from 'node:crypto';
import {
  createTraceState,
  isSpanContextValid,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';

// https://www.w3.org/TR/trace-context/: version, trace id, parent id, flags; later versions may say more.
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Undefined when it is not one, so that a new trace begins. A `tracestate` over its limits is dropped. */
export function parseTraceparent(
  traceparent: string | undefined,
  tracestate?: string,
): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) {
    return undefined;
  }
  const parent: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(parent) ? parent : undefined;
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;

/** Trace that is not recorded, by its flags. */
export function newTrace(): SpanContext {
  // Random enough, and a quarter of what as many random bytes cost: Node keeps some in store.
  const traceId = randomUUID().replaceAll('-', '');
  const spanId = randomUUID().replaceAll('-', '').slice(16);
  return { traceId, spanId, traceFlags: TraceFlags.NONE };
}
