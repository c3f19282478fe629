import { checkedRequest, type CheckedAnswer } from '../../testing/checked-request.fixture.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

interface VisitorRequest {
  path: string;
  /** Sent as JSON by POST. */
  body: unknown;
}

/** Sends a request as a visitor with an address of its own on this machine; asks for the chains by default. */
export const visit = (
  stack: StackProcess,
  key: string,
  address: `127.0.0.${number}`,
  headers: Record<string, string> = {},
  { path = '/chains', body }: Partial<VisitorRequest> = {},
): Promise<CheckedAnswer> =>
  checkedRequest(new URL(path, `http://127.0.0.1:${stack.ports.GATEWAY_PORT}`), {
    localAddress: address,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
