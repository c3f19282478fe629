import { describe, expect, it } from '@jest/globals';
import { isRequote, requoteProblems } from './requote-problems.js';

const ID = '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718';
const OTHER = '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60719';
const paths = (body: unknown) => requoteProblems(body).map(({ path }) => path.join('.'));

describe('a body', () => {
  it.each([
    [{ payment_id: ID }, true],
    [{ payment_id: 7 }, true],
    [{ payment_id: null }, false],
    [{ parent_payment_id: ID }, false],
    [null, false],
    ['text', false],
  ])('%j is a requote: %p', (body, expected) => {
    expect(isRequote(body)).toBe(expected);
  });
});

describe('problems of a requote', () => {
  it('are none with an output asset, its own parent in any case, or absent fields', () => {
    expect(paths({ payment_id: ID, parent_payment_id: ID.toUpperCase() })).toEqual([]);
    expect(paths({ payment_id: ID, request: { output_asset: 'usd', kind: null } })).toEqual([]);
    expect(paths({ payment_id: ID, request: null })).toEqual([]);
  });

  it('name every term of its own and another parent', () => {
    const request = { kind: 'FIXED_INPUT', output_asset: 'usd', custom_actions: {} };
    expect(paths({ payment_id: ID, parent_payment_id: OTHER, request })).toEqual([
      'request.kind',
      'request.custom_actions',
      'parent_payment_id',
    ]);
  });

  it('leave malformed fields to the DTO', () => {
    expect(paths({ payment_id: 7, parent_payment_id: [], request: 'text' })).toEqual([]);
    expect(paths({ payment_id: ID, request: ['kind'] })).toEqual([]);
  });
});
