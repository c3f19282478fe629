import { ORGANISATION_ANSWER, PUBLIC_ANSWER } from '@bascule/service-host';
import { describe, expect, it } from '@jest/globals';
import { REMEMBER_MS } from './api-keys.service.js';

const REVOKED_WITHIN_MS = 5_000;
/** For the operator's commit, and for requests that are on their way. */
const SPARE_MS = 1_000;

describe('a revoked key', () => {
  it.each([PUBLIC_ANSWER, ORGANISATION_ANSWER])(
    'is answered by no cache after five seconds, which "%s" lets keep the last answer',
    (cacheControl) => {
      const [, seconds = 'NaN'] = /max-age=(\d+)$/.exec(cacheControl) ?? [];
      expect(REMEMBER_MS + Number(seconds) * 1_000).toBeLessThanOrEqual(
        REVOKED_WITHIN_MS - SPARE_MS,
      );
    },
  );
});
