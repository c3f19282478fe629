import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@bascule/contracts';
import { confirmationOf } from './confirmation.js';
import type { ConfirmBody } from './confirmation.js';

function missingIn(body: ConfirmBody): unknown[] {
  try {
    confirmationOf(body);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.errors.flatMap((issue) => ('path' in issue ? issue.path : []));
  }
}

describe('a confirm', () => {
  it('is accepted with a state token or with the content of the withdrawal', () => {
    expect(confirmationOf({ state_token: 't', signature: '0x' }).form).toBe('state-token');
    const content = { payment_id: 'p', token_amounts: [], recipient_address: 'r' };
    expect(confirmationOf({ ...content, owner_signature: '0x' })).toMatchObject({
      form: 'content',
      payload: null,
      withdrawAccount: 'SPW',
    });
    const ofOrder = { ...content, owner_signature: '0x', withdraw_account: 'INTENT' as const };
    expect(confirmationOf(ofOrder)).toMatchObject({ withdrawAccount: 'INTENT' });
  });

  it('reports every missing field of its form', () => {
    expect(missingIn({})).toEqual(['signature', 'state_token']);
    expect(missingIn({ state_token: 't' })).toEqual(['signature']);
    expect(missingIn({ owner_signature: '0x' })).toEqual([
      'payment_id',
      'token_amounts',
      'recipient_address',
    ]);
  });
});
