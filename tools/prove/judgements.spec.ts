// What would make `npm run prove` fail: each judgement has to refuse something here.
import { describe, expect, it } from '@jest/globals';

interface Open {
  open: string[];
  stale: string[];
}
interface Mutant {
  file: string;
  place: string;
  mutator: string;
  start: number;
  end: number;
  before: string;
  after: string;
}

const { againstArguments } = (await import(`${import.meta.dirname}/arguments.mjs`)) as {
  againstArguments: (found: Iterable<string>, argued: Record<string, string>) => Open;
};
const { findingsOf } = (await import(`${import.meta.dirname}/slither.mjs`)) as {
  findingsOf: (json: string) => { key: string; description: string }[];
};
const { isProven } = (await import(`${import.meta.dirname}/invariants.mjs`)) as {
  isProven: (suites: object[], calls: number) => boolean;
};
const { judge } = (await import(`${import.meta.dirname}/mutation/judgement.mjs`)) as {
  judge: (
    report: { name: string; outcome: string }[],
    files: ReadonlySet<string>,
    argued: Record<string, string>,
  ) => Open & { counts: Record<string, number>; passed: number; failed: number };
};
const { distinct } = (await import(`${import.meta.dirname}/mutation/mutants.mjs`)) as {
  distinct: (
    listed: Mutant[],
    read: () => Buffer,
  ) => { file: string; name: string; content: string }[];
};

describe('a list of arguments', () => {
  it('leaves open what it does not argue, once', () => {
    expect(againstArguments(['a', 'b', 'b'], { a: 'because' })).toEqual({ open: ['b'], stale: [] });
    expect(againstArguments(['a'], { a: '' }).open).toEqual(['a']);
  });

  it('is stale where it argues what is not found', () => {
    expect(againstArguments([], { a: 'because' })).toEqual({ open: [], stale: ['a'] });
  });
});

describe('what slither says', () => {
  const source = { filename_relative: 'contracts/Wallet.sol' };
  const signature = 'pay(address)';
  const says = (detectors: object[]) => JSON.stringify({ success: true, results: { detectors } });

  it('is no result when it failed', () => {
    const json = JSON.stringify({ success: false, error: 'no compiler', results: {} });
    expect(() => findingsOf(json)).toThrow('no compiler');
  });

  it('is a list of findings, by the function or the expression that they are about', () => {
    const parent = { name: 'pay', type_specific_fields: { signature } };
    const findings = findingsOf(
      says([
        {
          check: 'reentrancy',
          description: ' in pay\n',
          elements: [
            {
              type: 'function',
              name: 'pay',
              type_specific_fields: { signature },
              source_mapping: source,
            },
          ],
        },
        {
          check: 'timestamp',
          description: 'compares',
          elements: [
            {
              type: 'node',
              name: 'a < b',
              type_specific_fields: { parent },
              source_mapping: source,
            },
          ],
        },
        { check: 'solc-version', description: 'old', elements: [] },
      ]),
    );
    expect(findings).toEqual([
      { key: 'reentrancy: Wallet.sol pay(address)', description: 'in pay' },
      { key: 'timestamp: Wallet.sol pay(address) a < b', description: 'compares' },
      { key: 'solc-version: ', description: 'old' },
    ]);
  });

  it('may be that there is nothing', () => {
    expect(findingsOf(JSON.stringify({ success: true, results: {} }))).toEqual([]);
  });
});

describe('an invariant', () => {
  const held = { name: 'invariant_a()', failure: undefined, calls: 100 };
  const report = (...tests: object[]) => [{ suite: 'test/A.t.sol:ATest', tests }];

  it('is proven by one that held for as many calls as it should', () => {
    expect(isProven(report(held), 100)).toBe(true);
  });

  it.each([
    ['none was run', []],
    ['only tests were run', report({ name: 'test_a()', failure: undefined, calls: undefined })],
    ['it broke', report({ ...held, failure: 'money lost' })],
    ['it was called too seldom', report({ ...held, calls: 99 })],
    ['another one was run with it', report(held, { ...held, name: 'invariant_b()' })],
  ])('is not proven when %s', (_what, suites) => {
    expect(isProven(suites, 100)).toBe(false);
  });
});

describe('mutants', () => {
  const files = new Set(['Wallet.sol']);
  const killed = { name: 'Wallet.sol pay ROR: a → b', outcome: 'killed' };
  const survivor = { name: 'Wallet.sol pay AOR: c → d', outcome: 'survived' };
  const because = { [survivor.name]: 'the same by another way' };

  it('pass when each is killed or argued', () => {
    const report = [killed, survivor, { name: 'x', outcome: 'same' }];
    expect(judge([...report, { name: 'y', outcome: 'refused' }], files, because)).toEqual({
      counts: { killed: 1, argued: 1, same: 1, refused: 1 },
      open: [],
      stale: [],
      passed: 2,
      failed: 0,
    });
  });

  it('fail when one survives that is not argued', () => {
    const judgement = judge([killed, survivor], files, {});
    expect(judgement).toMatchObject({ open: [survivor.name], passed: 1, failed: 1 });
  });

  it('fail when one is argued that is killed now, or is not there any more', () => {
    const nowKilled = [{ ...survivor, outcome: 'killed' }];
    expect(judge(nowKilled, files, because)).toMatchObject({ stale: [survivor.name], failed: 1 });
    expect(judge([killed], files, because)).toMatchObject({ stale: [survivor.name], failed: 1 });
  });

  it('do not fail for arguments about contracts that were not tried', () => {
    expect(judge([killed], files, { 'Other.sol pay AOR: c → d': 'because' }).failed).toBe(0);
  });

  it.each(['survived', 'same', 'refused'])('fail when all are %s: no test was run', (outcome) => {
    expect(judge([{ ...survivor, outcome }], files, {}).failed).toBeGreaterThan(0);
    expect(judge([], files, {}).failed).toBe(1);
  });
});

describe('the list of mutants', () => {
  const source = 'return é + b + c; // a sum';
  const mutant = (before: string, after: string, from = 0): Mutant => {
    const start = Buffer.from(source).indexOf(before, from);
    return {
      ...{ file: 'contracts/Wallet.sol', place: 'pay', mutator: 'AOR', before, after },
      ...{ start, end: start + Buffer.byteLength(before) },
    };
  };
  const first = mutant('+', '-');
  const list = (...mutants: Mutant[]) => distinct(mutants, () => Buffer.from(source));

  it('has each change, at the place in bytes that the compiler says', () => {
    expect(list(first, mutant('b', '0'))).toEqual([
      {
        file: 'contracts/Wallet.sol',
        name: 'Wallet.sol pay AOR: + → -',
        content: 'return é - b + c; // a sum',
      },
      {
        file: 'contracts/Wallet.sol',
        name: 'Wallet.sol pay AOR: b → 0',
        content: 'return é + 0 + c; // a sum',
      },
    ]);
  });

  it('has no change twice, and none of comments or spaces only', () => {
    expect(list(first, { ...first, mutator: 'MIA' })).toHaveLength(1);
    expect(list(mutant('a sum', 'nothing'), mutant('+', ' +'))).toEqual([]);
  });

  it('numbers different changes of one name', () => {
    const second = mutant('+', '-', first.end);
    expect(list(first, second)).toMatchObject([
      { name: 'Wallet.sol pay AOR: + → -', content: 'return é - b + c; // a sum' },
      { name: 'Wallet.sol pay AOR: + → - (2)', content: 'return é + b - c; // a sum' },
    ]);
  });
});
