import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { parseConfig } from './parse-config.js';
import { basisPoints, integer, milliseconds, pem } from './validators.js';

function outcome(spec: ReturnType<typeof integer>, VALUE: string): number | string {
  try {
    return parseConfig({ VALUE }, { VALUE: spec }).VALUE;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.join();
    throw error;
  }
}

describe('integer', () => {
  const spec = integer({ min: 1, max: 60 });

  it.each(['1', '30', '60'])('takes %s', (input) => {
    expect(outcome(spec, input)).toBe(Number(input));
  });

  it.each(['30s', '1.5', '1e3', '0x10', '٣', ' 30', '007', '+3', '-0', 'Infinity', '1_000'])(
    'rejects %s, which is no plain whole number',
    (input) => {
      expect(outcome(spec, input)).toBe('VALUE: expected a whole number');
    },
  );

  it('names the bound that a number exceeds', () => {
    expect(outcome(spec, '-1')).toBe('VALUE: expected at least 1');
    expect(outcome(spec, '61')).toBe('VALUE: expected at most 60');
    expect(outcome(integer({ min: 0 }), '9007199254740993')).toContain('expected at most');
  });

  it('is required unless it has a default', () => {
    expect(outcome(spec, '')).toBe('VALUE: is missing');
    expect(outcome(integer({ min: 1, default: 5 }), '')).toBe(5);
  });
});

describe('milliseconds', () => {
  it('rejects a duration above the limit of timers', () => {
    expect(outcome(milliseconds({ min: 0 }), '2147483647')).toBe(2_147_483_647);
    expect(outcome(milliseconds({ min: 0 }), '2147483648')).toContain('expected at most');
  });
});

describe('basisPoints', () => {
  it('accepts the range from none to all', () => {
    expect(outcome(basisPoints({}), '0')).toBe(0);
    expect(outcome(basisPoints({}), '10000')).toBe(10_000);
    expect(outcome(basisPoints({}), '10001')).toContain('expected at most');
  });
});

describe('pem', () => {
  const text = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const parse = (CA: string) => parseConfig({ CA }, { CA: pem() }).CA;

  it('accepts the content of a file, also on one line', () => {
    expect(parse(text)).toBe(text);
    expect(parse(text.replaceAll('\n', '\\n'))).toBe(text);
  });

  it('refuses the name of a file', () => {
    expect(() => parse('/etc/ssl/ca.pem')).toThrow('expected PEM');
  });
});
