import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { requestId } from './request-id.js';

function idFor(given: string | undefined): string {
  const request = new IncomingMessage(new Socket());
  if (given !== undefined) request.headers['x-request-id'] = given;
  return requestId(request);
}

describe('requestId', () => {
  it('keeps a valid id', () => {
    expect(idFor('order-4711.retry_2')).toBe('order-4711.retry_2');
  });

  it.each([undefined, '', 'a b', 'x'.repeat(129), 'a\nb', '<script>'])('replaces %j', (given) => {
    expect(idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
