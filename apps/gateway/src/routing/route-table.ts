/** The services behind the gateway. */
export type ServiceName = 'quote' | 'payment' | 'withdrawal' | 'catalogue' | 'webhook-dispatch';

/** Credential of a request: an API key, a secret key, a link of one payment, or none yet (callbacks). */
export type Access = 'api-key' | 'secret-key' | LinkAccess | 'provider-callback';
/** `return-link`: leads back from a provider's checkout; shows the payment's status and redirects. */
export type LinkAccess = 'funding-link' | 'return-link';

export const isLink = (access: Access): access is LinkAccess =>
  access === 'funding-link' || access === 'return-link';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters. */
  path: string;
  service: ServiceName;
  access: Access;
  /** `long` where a client may wait 300 s for settlement on chain. */
  timeout: 'normal' | 'long';
}

/** A route as admission sees it: one of a service, or the gateway's own. */
export type AdmittedRoute = Pick<Route, 'method' | 'path' | 'access'>;

type Method = Route['method'];

/** Route whose method and path are known to the compiler, which asks for its description. */
interface KnownRoute<M extends Method, P extends string> extends Route {
  method: M;
  path: P;
}

const routes = <M extends Method, P extends string>(
  service: ServiceName,
  methods: M | M[],
  path: P,
  rest: Partial<Pick<Route, 'access' | 'timeout'>> = {},
): KnownRoute<M, P>[] =>
  (Array.isArray(methods) ? methods : [methods]).map((method) => ({
    method,
    path,
    service,
    access: rest.access ?? 'api-key',
    timeout: rest.timeout ?? 'normal',
  }));

const webhookRoutes = <M extends Method, P extends string>(methods: M | M[], path: P) =>
  routes('webhook-dispatch', methods, `/orgs/webhooks${path}`, { access: 'secret-key' });

/** All routes; every other path is 404. */
export const ROUTES = [
  ...routes('catalogue', 'GET', '/assets'),
  ...routes('catalogue', 'GET', '/chains'),
  ...routes('catalogue', 'POST', '/prices'),
  ...routes('catalogue', 'GET', '/geolocation'),
  ...routes('quote', 'GET', '/assets/available-outputs'),
  ...routes('quote', 'GET', '/assets/available-inputs'),
  ...routes('quote', 'GET', '/payments/methods'),
  ...routes('quote', 'POST', '/payments/quotes'),
  ...routes('payment', 'POST', '/payments/confirm'),
  ...routes('payment', 'GET', '/payments'),
  ...routes('payment', 'POST', '/payments/issues'),
  ...routes('payment', 'GET', '/payments/timeline', { access: 'secret-key' }),
  ...routes('payment', 'GET', '/payments/history'),
  ...routes('withdrawal', 'POST', '/payments/balances'),
  ...routes('withdrawal', 'POST', '/payments/withdraw'),
  ...routes('withdrawal', 'POST', '/payments/withdraw/confirm', { timeout: 'long' }),
  ...routes('withdrawal', 'GET', '/payments/withdraw/status'),
  ...webhookRoutes(['POST', 'GET', 'PATCH', 'DELETE'], ''),
  ...webhookRoutes('POST', '/rotate-secret'),
  ...webhookRoutes('POST', '/test'),
  ...webhookRoutes('GET', '/deliveries'),
  ...webhookRoutes('POST', '/deliveries/resend-failed'),
  ...webhookRoutes('GET', '/deliveries/:delivery_id'),
  ...webhookRoutes('POST', '/deliveries/:delivery_id/resend'),
  ...routes('payment', 'GET', '/funding/:payment_id', { access: 'funding-link' }),
  ...routes('payment', 'GET', '/funding/:payment_id/return', { access: 'return-link' }),
  ...routes('payment', 'POST', '/providers/:name/callbacks', { access: 'provider-callback' }),
] satisfies readonly Route[];

/** Routes that the gateway answers itself. */
export const OWN_ROUTES = [
  { method: 'GET', path: '/orgs/keys/self', access: 'api-key' },
] as const satisfies readonly AdmittedRoute[];

type KeyOf<R> = R extends { method: infer M extends string; path: infer P extends string }
  ? `${M} ${P}`
  : never;
/** Method and path of a route, such as `GET /chains`. */
export type RouteKey = KeyOf<(typeof ROUTES)[number] | (typeof OWN_ROUTES)[number]>;

/** Methods of a path: those with a route, and all others. */
export interface PathMethods {
  path: string;
  allowed: readonly string[];
  others: readonly string[];
}

/**
 * Lists the methods that each path refuses. `HEAD` is allowed where `GET` is, and CORS answers `OPTIONS`.
 * @param methods all methods that the server parses
 */
export function otherMethods(
  table: readonly Pick<Route, 'method' | 'path'>[],
  methods: readonly string[],
): PathMethods[] {
  return [...new Set(table.map(({ path }) => path))].map((path) => {
    const routed = new Set<string>(
      table.filter((route) => route.path === path).map(({ method }) => method),
    );
    if (routed.has('GET')) routed.add('HEAD');
    return {
      path,
      allowed: ALLOW_ORDER.filter((method) => routed.has(method)),
      others: methods.filter((method) => !routed.has(method)),
    };
  });
}

/** Order of methods in `Allow`. */
const ALLOW_ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
