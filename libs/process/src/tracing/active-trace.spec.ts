import { setTimeout as delay } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger.js';
import { currentTraceparent, runInTrace, traceHeaders } from './active-trace.js';
import { continueTrace, enterTrace, withSpan } from './spans.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

function logged(): Record<string, unknown> {
  const lines: string[] = [];
  createLogger({ service: 'test', level: 'info' }, { write: (line: string) => lines.push(line) })
    .child({ part: 'x' })
    .info({ a: 1 }, 'said');
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

describe('the current trace', () => {
  it('is absent before one is started', () => {
    expect(currentTraceparent()).toBeUndefined();
    expect(traceHeaders()).toEqual({});
    expect(logged()).not.toHaveProperty('trace_id');
  });

  it('follows asynchronous code, and ends with it', async () => {
    const seen = await runInTrace(TRACEPARENT, async () => {
      await delay(1);
      return currentTraceparent();
    });
    expect(seen).toBe(TRACEPARENT);
    expect(currentTraceparent()).toBeUndefined();
  });

  it('stays separate from a concurrent one', async () => {
    const other = TRACEPARENT.replace('4bf9', '4bfa');
    const seen = await Promise.all(
      [TRACEPARENT, other].map((traceparent) =>
        runInTrace(traceparent, async () => {
          await delay(1);
          return currentTraceparent();
        }),
      ),
    );
    expect(seen).toEqual([TRACEPARENT, other]);
  });

  it.each([undefined, 'garbage'])('is a new one for %j, and stays the same', (traceparent) => {
    runInTrace(traceparent, () => {
      const first = currentTraceparent();
      expect(first).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
      expect(currentTraceparent()).toBe(first);
      runInTrace(traceparent, () => expect(currentTraceparent()).not.toBe(first));
    });
  });

  it('is in every line that is logged in it', () => {
    runInTrace(TRACEPARENT, () => {
      expect(logged()).toMatchObject({
        part: 'x',
        a: 1,
        trace_id: TRACE,
        span_id: '00f067aa0ba902b7',
      });
    });
    expect(logged()).not.toHaveProperty('trace_id');
  });

  it('is visible to users of the OpenTelemetry API', () => {
    runInTrace(TRACEPARENT, () => {
      expect(trace.getActiveSpan()?.spanContext()).toMatchObject({ traceId: TRACE });
    });
  });
});

describe('spans, while none are recorded', () => {
  const entry = { service: 'test', name: 'x', attributes: {}, traceparent: TRACEPARENT };

  it('are plain calls in the same trace', async () => {
    await continueTrace(entry, async (span) => {
      expect(span).toBeUndefined();
      await withSpan('inner', {}, async (inner) => {
        expect(inner).toBeUndefined();
        expect(currentTraceparent()).toBe(TRACEPARENT);
      });
    });
  });

  it('pass on results and errors', async () => {
    expect(await withSpan('x', {}, async () => 7)).toBe(7);
    await expect(withSpan('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('can be entered more than once, and pass on the tracestate', () => {
    const scope = enterTrace({ ...entry, tracestate: 'congo=t61rcWkgMzE' });
    for (const headers of [scope.run(traceHeaders), scope.run(traceHeaders)]) {
      expect(headers).toEqual({ traceparent: TRACEPARENT, tracestate: 'congo=t61rcWkgMzE' });
    }
    scope.end({ isFailure: true });
  });
});
