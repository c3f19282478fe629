import { TOPICS } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { ProjectionPattern } from './projection-pattern.js';

describe('ProjectionPattern', () => {
  it('refuses a topic whose events expire, since a rebuild would remove their rows', () => {
    expect(() => ProjectionPattern(TOPICS.deadLetter, { tables: ['letters'] })).toThrow(
      'bascule.dead-letter expires its events; projections need a compacted topic',
    );
  });
});
