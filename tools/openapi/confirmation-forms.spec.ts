import { describe, expect, it } from '@jest/globals';
import { confirmationOf } from '../../apps/withdrawal/src/confirm/confirmation.js';
import { CONFIRM_FORMS, PRESENT } from './operations-withdrawals.js';

const UUID = '0190b2c3-0000-7000-8000-000000000001';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const token_amounts = [{ token: 'alphanet:0x', amount: '1' }];
const FIELDS = {
  signature: '0x12',
  state_token: 'token',
  payment_id: UUID,
  token_amounts,
  recipient_address: ADDRESS,
  owner_signature: '0x34',
};
const NAMES = Object.keys(FIELDS);

const isDescribed = (body: Record<string, unknown>): boolean =>
  CONFIRM_FORMS.some(
    ({ required, properties }) =>
      required.every((name) => name in body) &&
      Object.entries(properties).every(
        ([name, schema]) => !(name in body) || (body[name] === null) === (schema !== PRESENT),
      ),
  );

function isAccepted(body: object): boolean {
  try {
    return Boolean(confirmationOf(body));
  } catch {
    return false;
  }
}

describe('the body of a confirm of a withdrawal', () => {
  it('is described as the service accepts it, with every set of its fields', () => {
    const judged = Array.from({ length: 2 ** NAMES.length }, (_, set) => {
      const chosen = Object.entries(FIELDS).filter((_field, at) => (set >> at) % 2 === 1);
      const body = Object.fromEntries(chosen);
      return {
        fields: Object.keys(body),
        isDescribed: isDescribed(body),
        accepts: isAccepted(body),
      };
    });
    expect(judged.filter((each) => each.isDescribed !== each.accepts)).toEqual([]);
    expect(judged.filter((each) => each.accepts).length).toBeGreaterThan(2);
  });
});
