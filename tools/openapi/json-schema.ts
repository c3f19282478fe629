/** JSON Schema (draft 2020-12), as far as the description uses it. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  'x-enumDescriptions'?: Record<string, string>;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

/** Schemas by the name of their component. */
export type Components = Record<string, JsonSchema>;

export const refTo = (component: string): JsonSchema => ({
  $ref: `#/components/schemas/${component}`,
});

/** The service takes null as absent, or as its description says. */
export function orNull({ description, ...value }: JsonSchema): JsonSchema {
  const schema: JsonSchema =
    typeof value.type === 'string'
      ? {
          ...value,
          type: [value.type, 'null'],
          ...(value.enum && { enum: [...value.enum, null] }),
        }
      : { anyOf: [value, { type: 'null' }] };
  return description === undefined ? schema : { description, ...schema };
}
