import ts from 'typescript';

/** A handler of a controller with its full path and the access that its decorators demand. */
export interface Handler {
  file: string;
  service: string;
  method: string;
  path: string;
  /** Undefined without a decorator that restricts its callers. */
  access: string | undefined;
  /** Permission that its caller needs. */
  permission: string | undefined;
}

export interface GatewayRoute {
  service: string;
  method: string;
  path: string;
  access: string;
}

const METHODS = new Set(['Delete', 'Get', 'Patch', 'Post', 'Put']);
/** Methods that Nest knows and the gateway does not route. */
const OTHER_METHODS = new Set(['All', 'Head', 'Options', 'Search', 'Sse']);
/** Decorators whose argument this check has to read. */
const READ = new Set([...METHODS, 'AllowCallers', 'Controller']);
const ACCESS_OF_CALLERS: Record<string, string> = {
  funding: 'funding-link',
  return: 'return-link',
  provider: 'provider-callback',
};

type Decorators = ReadonlyMap<string, string>;

/**
 * Reads the handlers of one controller file at `apps/<service>/src/…`.
 *
 * @throws Error for a method or path that this check cannot read
 */
export function handlersIn(file: string, text: string): Handler[] {
  const service = file.split('/')[1] ?? '';
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((controller) => {
    const ofClass = decoratorsOf(controller);
    const prefix = ofClass.get('Controller');
    if (prefix === undefined) return [];
    return controller.members.filter(ts.isMethodDeclaration).flatMap((member) => {
      const own = decoratorsOf(member);
      const other = [...own.keys()].find((name) => OTHER_METHODS.has(name));
      if (other !== undefined) throw new Error(`${file}: @${other} has no route in the gateway`);
      return [...own]
        .filter(([name]) => METHODS.has(name))
        .map(([name, path]) => ({
          file,
          service,
          method: name.toUpperCase(),
          path: `/${[prefix, path].filter((part) => part !== '').join('/')}`,
          access: accessOf(new Map([...ofClass, ...own])),
          permission: own.get('RequirePermission') ?? ofClass.get('RequirePermission'),
        }));
    });
  });
}

/** Maps the name of each decorator to its first argument, or to an empty string. */
function decoratorsOf(node: ts.HasDecorators): Decorators {
  return new Map(
    (ts.getDecorators(node) ?? []).flatMap(({ expression }): [string, string][] => {
      if (!ts.isCallExpression(expression)) return [];
      const [first] = expression.arguments;
      const name = expression.expression.getText();
      if (first !== undefined && ts.isStringLiteral(first)) return [[name, first.text]];
      if (first !== undefined && READ.has(name)) {
        throw new Error(`@${name}(${first.getText()}): expected a string literal`);
      }
      return [[name, '']];
    }),
  );
}

function accessOf(decorators: Decorators): string | undefined {
  const callers = decorators.get('AllowCallers');
  if (callers !== undefined) return ACCESS_OF_CALLERS[callers];
  if (!decorators.has('RequirePermission')) return undefined;
  return decorators.has('RequireSecretKey') ? 'secret-key' : 'api-key';
}

/** Lists handlers without a permission, handlers and routes without each other, and pairs that differ in access. */
export function routeProblems(
  handlers: readonly Handler[],
  routes: readonly GatewayRoute[],
): string[] {
  const key = (route: { service: string; method: string; path: string }): string =>
    `${route.method} ${route.path} of ${route.service}`;
  const routeOf = new Map(routes.map((route) => [key(route), route]));
  const handled = new Set(handlers.map(key));
  return [
    ...handlers
      .filter(({ access }) => access === undefined)
      .map((handler) => `${key(handler)} has no permission (${handler.file})`),
    ...handlers
      .filter((handler) => !routeOf.has(key(handler)))
      .map((handler) => `${key(handler)} has no route in the gateway (${handler.file})`),
    ...handlers.flatMap((handler) => {
      const route = routeOf.get(key(handler));
      if (!route || handler.access === undefined || route.access === handler.access) return [];
      return [`${key(handler)} demands ${handler.access}, its route ${route.access}`];
    }),
    ...routes
      .filter((route) => !handled.has(key(route)))
      .map((route) => `${key(route)} has no controller`),
  ];
}
