import { describe, expect, it } from '@jest/globals';
import { formatTraceparent, newTrace, parseTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each(['00', '01'])('is read and written with the flags %s', (flags) => {
    const text = `00-${TRACE}-${SPAN}-${flags}`;
    const parsed = parseTraceparent(text);
    expect(parsed).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
    expect(parsed && formatTraceparent(parsed)).toBe(text);
  });

  it('is parsed as far as possible in a later version', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toMatchObject({ traceId: TRACE });
  });

  it('loses unknown flags', () => {
    const parsed = parseTraceparent(`00-${TRACE}-${SPAN}-ff`);
    expect(parsed && formatTraceparent(parsed)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it.each([
    undefined,
    '',
    'garbage',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('is invalid as %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('is new, valid and unsampled for a new trace', () => {
    const text = formatTraceparent(newTrace());
    expect(parseTraceparent(text)).toBeDefined();
    expect(text).toMatch(/-00$/);
    expect(formatTraceparent(newTrace())).not.toBe(text);
  });
});

describe('a tracestate', () => {
  const stateOf = (tracestate: string) =>
    parseTraceparent(`00-${TRACE}-${SPAN}-01`, tracestate)?.traceState?.serialize();

  it('is kept unchanged', () => {
    expect(stateOf('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')).toBe(
      'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    );
  });

  it('is dropped over 512 characters, and ends after 32 members', () => {
    expect(stateOf(`a=${'x'.repeat(600)}`)).toBe('');
    const members = Array.from({ length: 40 }, (_, index) => `k${index}=v`);
    expect(stateOf(members.join(','))?.split(',')).toHaveLength(32);
  });
});
