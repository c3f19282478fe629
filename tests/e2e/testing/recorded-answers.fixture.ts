import { readFileSync } from 'node:fs';

interface RecordedAnswers {
  success?: unknown;
  error: { status: number; body: { errors: Record<string, unknown>[] } };
}

const FILE = new URL('../../../tools/openapi/answers.json', import.meta.url);

/** Answers that the OpenAPI document shows, by operation. */
export const RECORDED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, RecordedAnswers>;

/** Members of an error that are the same on every stack. */
const SHAPE = ['kind', 'code', 'path', 'expected', 'reason'];

/** Status and kinds, codes and paths of an error. */
export const shapeOf = (answer: { status: number; body: unknown }) => ({
  status: answer.status,
  errors: (answer.body as RecordedAnswers['error']['body']).errors.map((error) =>
    Object.fromEntries(SHAPE.filter((name) => name in error).map((name) => [name, error[name]])),
  ),
});

/** Keys of maps, such as prices by asset; others are names of fields. */
const OF_A_MAP = /^([a-z]{3}|[a-z]+:0x[0-9a-f]*|[a-z]+net)$/;
const NOT_OF_A_MAP = ['url', 'key', 'rpc'];

/** Names of the fields at each place: objects of a list are one place for each `kind` or `type`. */
function fieldsIn(value: unknown, place = '', found = new Map<string, Set<string>>()) {
  if (Array.isArray(value)) {
    for (const each of value) fieldsIn(each, `${place}[]`, found);
  } else if (typeof value === 'object' && value !== null) {
    const { kind, type } = value as Record<string, unknown>;
    const own = [place, kind, type].filter((part) => typeof part === 'string').join(' ');
    const fields = found.get(own) ?? new Set<string>();
    found.set(own, fields);
    for (const [name, inner] of Object.entries(value)) {
      const isKey = OF_A_MAP.test(name) && !NOT_OF_A_MAP.includes(name);
      if (!isKey) fields.add(name);
      fieldsIn(inner, `${own}.${isKey ? '*' : name}`, found);
    }
  }
  return found;
}

/** Lists the fields of a recorded answer that another answer lacks, at the places that both have. */
export function missingFields(recorded: unknown, answer: unknown): string[] {
  const found = fieldsIn(answer);
  return [...fieldsIn(recorded)].flatMap(([place, fields]) => {
    const own = found.get(place);
    return own === undefined
      ? []
      : [...fields].filter((name) => !own.has(name)).map((name) => `${place}.${name}`);
  });
}
