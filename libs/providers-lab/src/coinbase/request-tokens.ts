import { verify, type KeyObject } from 'node:crypto';

export interface CheckedRequest {
  /** Value of the header `Authorization`. */
  authorization: string | undefined;
  method: string;
  /** Path without its query. */
  path: string;
  /** Public keys by the id of the API key. */
  publicKeys: ReadonlyMap<string, KeyObject>;
  now: Date;
}

const LIFETIME_SECONDS = 120;
const SKEW_SECONDS = 5;

type Fields = Readonly<Record<string, unknown>>;

const decoded = (part: string): Fields =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Fields;

const isSigned = (alg: unknown, key: KeyObject, text: string, signature: Buffer): boolean => {
  const data = Buffer.from(text);
  if (alg === 'EdDSA')
    return key.asymmetricKeyType === 'ed25519' && verify(null, data, key, signature);
  return (
    alg === 'ES256' &&
    key.asymmetricKeyType === 'ec' &&
    verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  );
};

/** Compares method and path; the host may be that of a proxy. */
const isFor = (uris: unknown, { method, path }: CheckedRequest): boolean =>
  Array.isArray(uris) &&
  uris.some((uri) => {
    const [of = '', target = ''] = String(uri).split(' ', 2);
    return of === method && /^[^/]+/.test(target) && target.slice(target.indexOf('/')) === path;
  });

const areTimely = ({ iat, nbf, exp }: Fields, now: number): boolean =>
  typeof iat === 'number' &&
  typeof nbf === 'number' &&
  typeof exp === 'number' &&
  nbf <= now + SKEW_SECONDS &&
  exp > now - SKEW_SECONDS &&
  exp - iat <= LIFETIME_SECONDS;

/** Checks the JWT of a request: its signature, the times, and that it was made for this request. */
export function isAuthorised(request: CheckedRequest): boolean {
  const [head = '', body = '', signature = ''] =
    request.authorization?.replace(/^Bearer /, '').split('.') ?? [];
  try {
    const header = decoded(head);
    const claims = decoded(body);
    const key = request.publicKeys.get(String(header['kid']));
    return (
      key !== undefined &&
      header['typ'] === 'JWT' &&
      /^[0-9a-f]{32}$/.test(String(header['nonce'])) &&
      isSigned(header['alg'], key, `${head}.${body}`, Buffer.from(signature, 'base64url')) &&
      claims['sub'] === header['kid'] &&
      claims['iss'] === 'cdp' &&
      areTimely(claims, request.now.getTime() / 1_000) &&
      isFor(claims['uris'], request)
    );
  } catch {
    return false;
  }
}
