import ts from 'typescript';

/** Comment of a field. */
interface FieldComment {
  text: string;
  /** Value of the tag `@default`, which is JSON. */
  fallback?: unknown;
}

/** Comments of classes and their fields, by the name of the class. */
export type Comments = Map<string, { text: string; fields: Map<string, FieldComment> }>;

/** Reads the doc comments of the classes in a source file. */
export function commentsIn(file: string, text: string): Comments {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return new Map(
    source.statements.filter(ts.isClassDeclaration).map((declaration) => [
      declaration.name?.text ?? '',
      {
        text: commentOf(declaration),
        fields: new Map(
          declaration.members
            .filter(ts.isPropertyDeclaration)
            .map((member) => [
              member.name.getText(),
              { text: commentOf(member), ...defaultOf(member) },
            ]),
        ),
      },
    ]),
  );
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment)?.replace(/\s+/g, ' ').trim() ?? '';
}

function defaultOf(node: ts.Node): { fallback?: unknown } {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
  const json = ts.getTextOfJSDocComment(tag?.comment);
  return json === undefined ? {} : { fallback: JSON.parse(json) };
}
