import { describe, expect, it } from '@jest/globals';
import { ParkedKeyLookup } from './parked-key-lookup.js';

/** Answers with those of the keys that are in capitals. */
function aLookup(): { lookup: ParkedKeyLookup; asked: [string, readonly string[]][] } {
  const asked: [string, readonly string[]][] = [];
  const parkedKeys = (topic: string, keys: readonly string[]): Promise<string[]> => {
    asked.push([topic, keys]);
    if (topic === 'broken') return Promise.reject(new Error('no database'));
    return Promise.resolve(keys.filter((key) => key === key.toUpperCase()));
  };
  return { lookup: new ParkedKeyLookup({ parkedKeys }), asked };
}

describe('ParkedKeyLookup', () => {
  it('asks once for what several partitions want to know at the same time', async () => {
    const { lookup, asked } = aLookup();
    const answers = await Promise.all([
      lookup.among('orders', ['a', 'B']),
      lookup.among('orders', ['c', 'B']),
      lookup.among('returns', ['D']),
    ]);
    expect(asked).toEqual([
      ['orders', ['a', 'B', 'c']],
      ['returns', ['D']],
    ]);
    expect(answers).toEqual([['B'], ['B'], ['D']]);
  });

  it('asks again for what comes later: the answer may be another by then', async () => {
    const { lookup, asked } = aLookup();
    await lookup.among('orders', ['A']);
    await lookup.among('orders', ['A']);
    expect(asked).toHaveLength(2);
  });

  it('fails for everybody who asked, and for nobody who asks later', async () => {
    const { lookup, asked } = aLookup();
    const failures = await Promise.allSettled([
      lookup.among('broken', ['a']),
      lookup.among('broken', ['b']),
    ]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(lookup.among('broken', ['a'])).rejects.toThrow('no database');
    expect(asked).toHaveLength(2);
    await expect(lookup.among('orders', ['A'])).resolves.toEqual(['A']);
  });
});
