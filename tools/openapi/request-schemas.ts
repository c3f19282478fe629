import { getMetadataStorage } from 'class-validator';
import { nestedTypesOf } from '../../libs/validation/src/nested-types.js';
import { constraintSchema } from './constraint-schemas.js';
import type { Comments } from './field-comments.js';
import type { Components, JsonSchema } from './json-schema.js';
import { orNull, refTo } from './json-schema.js';

export type DtoClass = new () => object;

/** Wire type whose comments describe the fields of a DTO that repeats it. */
const REPEATS: Record<string, string> = {
  AssetAmountDto: 'AssetAmount',
  CustomActionDto: 'CustomAction',
  CustomActionsDto: 'CustomActions',
  FixedInputRequestDto: 'FixedInputRequest',
  FixedOutputRequestDto: 'FixedOutputRequest',
  QuoteOptionsDto: 'QuoteRequest',
  QuoteRequestDto: 'QuoteRequest',
  TokenAmountDto: 'TokenAmount',
};

interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** In a body; a query has no null. */
  mayBeNull: boolean;
}

/** Converts DTO classes to components, with their constraints and comments. */
export class RequestSchemas {
  readonly components: Components = {};

  constructor(
    private readonly comments: Comments,
    private readonly wireTypes: Components,
  ) {}

  /**
   * Adds a DTO and those within it; returns a reference to its component.
   * @param forms schemas of which the value also matches one
   */
  add(dto: DtoClass, forms?: readonly JsonSchema[]): JsonSchema {
    const name = `${dto.name.replace(/Dto$/, '')}Input`;
    if (this.components[name] === undefined) {
      const component: JsonSchema = { type: 'object' };
      this.components[name] = component;
      const fields = this.fieldsOf(dto);
      const text = this.comments.get(dto.name)?.text;
      if (text) component.description = text;
      component.properties = Object.fromEntries(
        fields.map(({ name: key, schema, mayBeNull }) => [
          key,
          mayBeNull ? orNull(schema) : schema,
        ]),
      );
      const required = fields.filter(({ isRequired }) => isRequired).map(({ name: key }) => key);
      if (required.length > 0) component.required = required;
      if (forms !== undefined) component.anyOf = [...forms];
    }
    return refTo(name);
  }

  /** @throws Error for a constraint without a schema */
  fieldsOf(dto: DtoClass): Field[] {
    const storage = getMetadataStorage();
    const all = storage.getTargetValidationMetadatas(dto, '', false, false);
    const defaults = new Map<string, unknown>(Object.entries(new dto()));
    const names = [...new Set(all.map(({ propertyName }) => propertyName))];
    return names.flatMap((name) => {
      const metadata = all.filter(({ propertyName }) => propertyName === name);
      // Refused if it is there at all.
      if (metadata.some((each) => each.name === 'equals')) return [];
      const conditions = metadata.filter(({ type }) => type === 'conditionalValidation');
      const isOptional = conditions.length > 0;
      const schema = this.fieldSchema(dto, name, metadata);
      const fallback = defaults.get(name);
      const shown = fallback ?? this.comments.get(dto.name)?.fields.get(name)?.fallback;
      if (shown !== undefined) schema.default = shown;
      const description = this.descriptionOf(dto, name);
      return [
        {
          name,
          schema: description === '' ? schema : { description, ...schema },
          isRequired: !isOptional && fallback === undefined,
          mayBeNull: isOptional,
        },
      ];
    });
  }

  private fieldSchema(
    dto: DtoClass,
    field: string,
    metadata: readonly { name?: string; type: string; constraints: unknown[]; each: boolean }[],
  ): JsonSchema {
    const schema: JsonSchema = {};
    const items: JsonSchema = {};
    for (const { name, type, constraints, each } of metadata) {
      if (type !== 'customValidation' || name === undefined) continue;
      merge(each ? items : schema, constraintSchema(name, constraints ?? []));
    }
    const nested = nestedTypesOf(dto).get(field);
    if (nested !== undefined) {
      const value = nested.discriminator
        ? this.alternatives(nested.classOf, nested.discriminator)
        : this.add(nested.classOf({}));
      merge(nested.isArray ? items : schema, value);
    }
    if (schema.type === 'array') schema.items = items;
    return schema;
  }

  private alternatives(
    classOf: (value: object) => DtoClass,
    { property, names }: { property: string; names: readonly string[] },
  ): JsonSchema {
    const refs = names.map((value) => {
      const dto = classOf({ [property]: value });
      const ref = this.add(dto);
      const component = this.components[`${dto.name.replace(/Dto$/, '')}Input`];
      const discriminator = component?.properties?.[property];
      if (discriminator) Object.assign(discriminator, { enum: [value] });
      return ref;
    });
    const mapping = Object.fromEntries(names.map((name, at) => [name, refs[at]?.$ref ?? '']));
    return { oneOf: refs, discriminator: { propertyName: property, mapping } };
  }

  private descriptionOf(dto: DtoClass, field: string): string {
    let type: unknown = dto;
    while (typeof type === 'function' && type.name !== '') {
      const own = this.comments.get(type.name)?.fields.get(field)?.text;
      const repeated = this.wireTypes[REPEATS[type.name] ?? '']?.properties?.[field]?.description;
      if (own || repeated) return own || (repeated ?? '');
      type = Object.getPrototypeOf(type);
    }
    return '';
  }
}

/** The strictest of several constraints holds; a reference keeps its own. */
function merge(target: JsonSchema, added: JsonSchema): void {
  if (target.$ref !== undefined && added.type === 'string') return;
  if (added.$ref !== undefined) delete target.type;
  Object.assign(target, added);
}
