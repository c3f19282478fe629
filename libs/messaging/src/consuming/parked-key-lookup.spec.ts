import { describe, expect, it } from '@jest/globals';
import { ParkedKeyLookup } from './parked-key-lookup.js';

/** Reports the keys in capitals as parked. */
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
  it('combines concurrent lookups into one query', async () => {
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

  it('queries again for a later lookup', async () => {
    const { lookup, asked } = aLookup();
    await lookup.among('orders', ['A']);
    await lookup.among('orders', ['A']);
    expect(asked).toHaveLength(2);
  });

  it('rejects all lookups of a failed query, and no later one', async () => {
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
