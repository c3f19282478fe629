import { describe, expect, it } from '@jest/globals';
import { bodyBytesOf, sizeWeightOf } from './request-size.js';

const LIMIT = 262_144;
const weightOf = (url: string, headers: Record<string, string> = {}) =>
  sizeWeightOf(url, headers, LIMIT);

describe('the size of a request', () => {
  it('costs nothing where it is usual', () => {
    expect(weightOf('/assets')).toBe(0);
    expect(weightOf(`/assets/available-outputs?inputs=${'a'.repeat(1_000)}`)).toBe(0);
    expect(weightOf('/payments/quotes', { 'content-length': '4095' })).toBe(0);
  });

  it('costs a unit for each 4 KiB of its body and each KiB of its query', () => {
    expect(weightOf('/payments/quotes', { 'content-length': '4096' })).toBe(1);
    expect(weightOf('/payments/quotes', { 'content-length': '70000' })).toBe(17);
    expect(weightOf(`/assets/available-outputs?${'a'.repeat(12_288)}`)).toBe(12);
  });

  it('is that of the largest body where it is unknown or too large', () => {
    expect(bodyBytesOf({ 'transfer-encoding': 'chunked' }, LIMIT)).toBe(LIMIT);
    expect(bodyBytesOf({ 'content-length': '1e9' }, LIMIT)).toBe(LIMIT);
    expect(weightOf('/payments/quotes', { 'transfer-encoding': 'chunked' })).toBe(64);
  });
});
