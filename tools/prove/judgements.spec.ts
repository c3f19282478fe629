// Each judgement of `npm run prove` must refuse something here.
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
const { FORGE_ENVIRONMENT, isProven } = (await import(`${import.meta.dirname}/invariants.mjs`)) as {
  FORGE_ENVIRONMENT: Record<string, string>;
  isProven: (suites: object[], calls: number) => boolean;
};
const { judge } = (await import(`${import.meta.dirname}/mutation/judgement.mjs`)) as {
  judge: (
    report: { name: string; outcome: string }[],
    files: ReadonlySet<string>,
    argued: Record<string, string>,
  ) => Open & { counts: Record<string, number>; passed: number; failed: number };
};
const { seedFrom } = (await import(`${import.meta.dirname}/invariants.mjs`)) as {
  seedFrom: (environment: Record<string, string>) => number;
};
const { PARTS, selectParts } = (await import(`${import.meta.dirname}/parts.mjs`)) as {
  PARTS: { name: string; proves: string }[];
  selectParts: (args: string[]) => { name: string }[];
};
const { fuzzSeedFrom } = (await import(`${import.meta.dirname}/api-fuzz.mjs`)) as {
  fuzzSeedFrom: (environment: Record<string, string>) => string;
};
interface StrykerMutant {
  mutatorName: string;
  replacement: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
  status: string;
}
interface MoneyMutant {
  file: string;
  name: string;
  status: string;
  line: number;
}
const { judge: judgeMoney, mutantsOf } = (await import(
  `${import.meta.dirname}/money/judgement.mjs`
)) as {
  judge: (
    mutants: MoneyMutant[],
    argued: Record<string, string>,
  ) => Open & {
    killed: number;
    argued: number;
    ignored: number;
    score: number;
    isEnough: boolean;
  };
  mutantsOf: (report: {
    files: Record<string, { source: string; mutants: StrykerMutant[] }>;
  }) => MoneyMutant[];
};
const { distinct } = (await import(`${import.meta.dirname}/mutation/mutants.mjs`)) as {
  distinct: (
    listed: Mutant[],
    read: () => Buffer,
  ) => { file: string; name: string; content: string }[];
};

describe('a list of arguments', () => {
  it('leaves open each finding without an argument, once', () => {
    expect(againstArguments(['a', 'b', 'b'], { a: 'because' })).toEqual({ open: ['b'], stale: [] });
    expect(againstArguments(['a'], { a: '' }).open).toEqual(['a']);
  });

  it('is stale where it argues a missing finding', () => {
    expect(againstArguments([], { a: 'because' })).toEqual({ open: [], stale: ['a'] });
  });
});

describe('the report of slither', () => {
  const source = { filename_relative: 'contracts/Wallet.sol' };
  const signature = 'pay(address)';
  const says = (detectors: object[]) => JSON.stringify({ success: true, results: { detectors } });

  it('is refused when slither failed', () => {
    const json = JSON.stringify({ success: false, error: 'no compiler', results: {} });
    expect(() => findingsOf(json)).toThrow('no compiler');
  });

  it('lists findings by their function or expression', () => {
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

  it('may be empty', () => {
    expect(findingsOf(JSON.stringify({ success: true, results: {} }))).toEqual([]);
  });
});

describe('an invariant', () => {
  const held = { name: 'invariant_a()', failure: undefined, calls: 100 };
  const report = (...tests: object[]) => [{ suite: 'test/A.t.sol:ATest', tests }];

  it('is proven by one that held for enough calls', () => {
    expect(isProven(report(held), 100)).toBe(true);
  });

  it('is checked after each call', () => {
    expect(FORGE_ENVIRONMENT).toHaveProperty('FOUNDRY_INVARIANT_CHECK_INTERVAL', '1');
  });

  it.each([
    ['none was run', []],
    ['only tests were run', report({ name: 'test_a()', failure: undefined, calls: undefined })],
    ['it broke', report({ ...held, failure: 'money lost' })],
    ['it had too few calls', report({ ...held, calls: 99 })],
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

  it('fail when one survives without an argument', () => {
    const judgement = judge([killed, survivor], files, {});
    expect(judgement).toMatchObject({ open: [survivor.name], passed: 1, failed: 1 });
  });

  it('fail when an argued one is killed, or no longer exists', () => {
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

  it('has each change, at its place in bytes', () => {
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

  it('has no duplicates, and no changes of comments or spaces only', () => {
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

describe('the seed of the invariant', () => {
  it('is random, unless a variable repeats it', () => {
    expect(seedFrom({ INVARIANT_SEED: '7' })).toBe(7);
    expect(seedFrom({})).not.toBe(seedFrom({}));
  });

  it.each(['', '0', '-1', '1.5', 'seven'])('is refused as %p', (INVARIANT_SEED) => {
    expect(() => seedFrom({ INVARIANT_SEED })).toThrow('INVARIANT_SEED must be a whole number');
  });
});

describe('the seed of the API fuzzing', () => {
  it('is always the same, unless a variable chooses another', () => {
    expect(fuzzSeedFrom({})).toBe(fuzzSeedFrom({}));
    expect(fuzzSeedFrom({ FUZZ_SEED: '7' })).toBe('7');
  });

  it.each(['', '-1', '1.5', 'seven'])('is refused as %p', (FUZZ_SEED) => {
    expect(() => fuzzSeedFrom({ FUZZ_SEED })).toThrow('FUZZ_SEED must be a whole number');
  });
});

describe('the parts of npm run prove', () => {
  const names = (...args: string[]) => selectParts(args).map(({ name }) => name);

  it('are all of them without arguments', () => {
    expect(selectParts([])).toEqual(PARTS);
    expect(new Set(PARTS.map(({ name }) => name)).size).toBe(PARTS.length);
  });

  it('are found by their name, or by the first word of it', () => {
    expect(names('invariants')).toEqual(['invariants']);
    expect(names('money', 'amounts')).toEqual(['money amounts']);
    expect(names('kills')).toEqual(['kills first', 'kills second']);
  });

  it('mutate contracts by their names', () => {
    expect(names('mutation', 'Executor', 'Converter')).toEqual(['mutation Executor Converter']);
  });

  it('are refused by any other name', () => {
    expect(() => names('everything')).toThrow('no part everything; the parts are static, ');
    expect(() => names('mutation', 'Nobody')).toThrow('no part mutation Nobody');
  });
});

describe('mutants of the money code', () => {
  const file = 'libs/amounts/src/amount.ts';
  const mutant = (status: string, name = `${file} ${status}`): MoneyMutant => ({
    ...{ file, status, line: 1 },
    name,
  });
  const killed = (count: number) => Array.from({ length: count }, () => mutant('Killed'));

  it('pass when nine of ten are noticed', () => {
    expect(judgeMoney([...killed(9), mutant('Survived')], {})).toMatchObject({ isEnough: true });
    expect(judgeMoney([...killed(8), mutant('Timeout'), mutant('NoCoverage')], {})).toMatchObject({
      ...{ killed: 9, score: 0.9, isEnough: true },
    });
  });

  it('fail when fewer are noticed, or none was tried', () => {
    expect(judgeMoney([...killed(8), mutant('Survived')], {})).toMatchObject({ isEnough: false });
    expect(judgeMoney([], {})).toMatchObject({ score: 0, isEnough: false });
    const brokenOff = [...killed(8), mutant('RuntimeError')];
    expect(judgeMoney(brokenOff, {})).toMatchObject({ isEnough: false });
  });

  it('are counted where they are ignored, and change no score', () => {
    const ignored = [mutant('Ignored'), mutant('Ignored')];
    expect(judgeMoney([...killed(1), ...ignored], {})).toMatchObject({
      ...{ ignored: 2, killed: 1, score: 1, isEnough: true },
    });
    expect(judgeMoney(ignored, {})).toMatchObject({ ignored: 2, isEnough: false });
  });

  it('leave out argued survivors, and fail on arguments without a survivor', () => {
    const survivor = mutant('Survived');
    const argued = { [survivor.name]: 'equal amounts are interchangeable' };
    expect(judgeMoney([...killed(1), survivor], argued)).toMatchObject({
      ...{ argued: 1, score: 1, isEnough: true },
    });
    expect(judgeMoney(killed(1), argued)).toMatchObject({
      ...{ stale: [survivor.name], isEnough: false },
    });
    const elsewhere = { 'libs/chain/src/fees.ts Other: a → b': 'because' };
    expect(judgeMoney(killed(1), elsewhere)).toMatchObject({ stale: [], isEnough: true });
  });

  it('are named by file, mutator and texts, numbered where they are equal', () => {
    const at = (line: number): StrykerMutant => ({
      ...{ mutatorName: 'EqualityOperator', replacement: 'a <= b', status: 'Survived' },
      location: { start: { line, column: 8 }, end: { line, column: 13 } },
    });
    const source = 'return a < b;\nreturn a < b;\n';
    expect(mutantsOf({ files: { [file]: { source, mutants: [at(2), at(1)] } } })).toMatchObject([
      { name: `${file} EqualityOperator: a < b → a <= b`, line: 1 },
      { name: `${file} EqualityOperator: a < b → a <= b (2)`, line: 2 },
    ]);
  });
});
