import { request } from 'node:http';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { checkAnswer } from '../schemas/check-answer.js';

export interface CheckedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface CheckedRequest extends Pick<RequestOptions, 'agent' | 'localAddress'> {
  headers: Record<string, string>;
  /** Sent as JSON by POST. */
  body?: unknown;
}

/**
 * Asks the API over a connection of its own kind, which `fetch` cannot choose.
 * @throws ContractViolation when the answer is against the contract
 */
export async function checkedRequest(
  url: URL,
  { body, headers, ...connection }: CheckedRequest,
): Promise<CheckedAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await new Promise<CheckedAnswer>((resolve, reject) => {
    request(
      url,
      {
        ...connection,
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        text(response).then((body) => resolve({ status, headers: answered, body }), reject);
      },
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
  checkExchange(method, url.href, answer);
  return answer;
}

/** @throws ContractViolation */
export function checkExchange(
  method: string,
  path: string,
  { status, headers, body }: CheckedAnswer,
): void {
  const isJson = headers['content-type']?.includes('json') === true;
  checkAnswer({
    method,
    path,
    status,
    headers: new Headers(
      Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [value].flat().map((each) => [name, each]),
      ),
    ),
    body: isJson && body !== '' ? (JSON.parse(body) as unknown) : body,
  });
}
