import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_UNEXECUTED, submissionTurn } from './submission-turn.js';

describe('the turn of another submitted withdrawal', () => {
  it('lets no more than five end without their execution, however many are in flight at once', () => {
    const step = fc.constantFrom('confirm', 'confirm', 'confirm', 'execute', 'revert');
    const steps = fc.array(step, { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(steps, (world) => {
        let [unexecuted, inFlight] = [0, 0];
        for (const step of world) {
          if (step === 'confirm') {
            if (submissionTurn({ unexecuted, inFlight }) === 'now') inFlight += 1;
          } else if (inFlight > 0) {
            inFlight -= 1;
            if (step === 'revert') unexecuted += 1;
          }
          expect(unexecuted + inFlight).toBeLessThanOrEqual(MAX_UNEXECUTED);
        }
      }),
    );
  });

  it('comes later while one in flight may still be executed, and never after five', () => {
    expect(submissionTurn({ unexecuted: 4, inFlight: 0 })).toBe('now');
    expect(submissionTurn({ unexecuted: 4, inFlight: 1 })).toBe('later');
    expect(submissionTurn({ unexecuted: 0, inFlight: 5 })).toBe('later');
    expect(submissionTurn({ unexecuted: 5, inFlight: 0 })).toBe('never');
  });
});
