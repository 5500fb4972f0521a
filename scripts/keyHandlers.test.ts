import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';

const screens = resolve(import.meta.dirname, '../packages/web/src');

interface KeyHandler {
  readonly file: string;
  /** Its source. */
  readonly handler: string;
  /** Whether it begins with `if (isForInputMethod(…)) return`, or contains only this condition. */
  readonly asksFirst: boolean;
}

/**
 * The key handlers in a file: values of `onKey…` in JSX, listeners of key events, and the functions that these call or
 * name. A handler that is a prop is checked where the prop is set.
 */
function keyHandlers(file: string, source: string): KeyHandler[] {
  const declared = new Map<string, ESTree.Node[]>();
  const declare = (name: string, node: ESTree.Node) => declared.set(name, [...(declared.get(name) ?? []), node]);
  const handlers: ESTree.Node[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) declare(id.name, init);
    },
    FunctionDeclaration: (node) => {
      if (node.id) declare(node.id.name, node);
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type !== 'JSXIdentifier' || !isKeyProp(name.name)) return;
      if (value?.type === 'JSXExpressionContainer') handlers.push(value.expression);
    },
    CallExpression: ({ callee, arguments: [event, handler] }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (callee.property.name !== 'addEventListener' || event?.type !== 'Literal') return;
      if (/^key(down|up|press)$/.test(String(event.value)) && handler) handlers.push(handler);
    },
  }).visit(parseSync(file, source).program);

  const asksFirst = (handler: ESTree.Node): boolean => {
    if (handler.type === 'Identifier') return declared.get(handler.name)?.every(asksFirst) ?? isKeyProp(handler.name);
    if (handler.type === 'CallExpression') {
      const [callback] = handler.arguments;
      return source.startsWith('useEffectEvent(', handler.start) && callback !== undefined && asksFirst(callback);
    }
    if (!isFunction(handler) || !handler.body) return false;
    // `moveFocus` asks itself.
    const text = source.slice(handler.start, handler.end);
    if (text.includes('moveFocus(event') && !/event\.(key|code)/.test(text)) return true;
    if (handler.body.type === 'CallExpression') return asksFirst(handler.body.callee);
    if (handler.body.type !== 'BlockStatement') return false;
    const [first, ...others] = handler.body.body;
    if (first?.type !== 'IfStatement' || !source.startsWith('isForInputMethod(', first.test.start)) return false;
    return first.consequent.type === 'ReturnStatement' || others.length === 0;
  };
  return handlers.map((handler) => ({
    file,
    handler: source.slice(handler.start, handler.end),
    asksFirst: asksFirst(handler),
  }));
}

function isKeyProp(name: string): boolean {
  return /^onKey(Down|Up|Press)/.test(name);
}

function isFunction(node: ESTree.Node): node is ESTree.ArrowFunctionExpression | ESTree.Function {
  return ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type);
}

describe('Every key handler of the screens', () => {
  it('[R4.8.1] Every key handler of the web client first checks whether the key belongs to the input method', () => {
    const found = globSync('**/*.{ts,tsx}', { cwd: screens }).flatMap((file) =>
      keyHandlers(file, readFileSync(resolve(screens, file), 'utf8')),
    );
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ asksFirst }) => !asksFirst)).toEqual([]);
  });

  const good = 'const onKeyDown = (event) => {\n  if (isForInputMethod(event)) return;\n  send();\n};';
  const naive = "const onKeyDown = (event) => {\n  if (event.key === 'Enter') send();\n};";

  it.each([
    ['named', `${good} const a = <textarea onKeyDown={onKeyDown} />;`],
    ['called', `${good} const a = <textarea onKeyDown={(event) => onKeyDown(event, row)} />;`],
    ['on the document', `${good} document.addEventListener('keydown', onKeyDown, true);`],
    ['contains only the condition', 'const a = <i onKeyDown={(event) => { if (isForInputMethod(event)) hold(event); }} />;'],
    ['is a prop', 'const A = ({ onKeyDown }) => <textarea onKeyDown={onKeyDown} />;'],
  ])('The check of key handlers accepts a handler that first asks whether the key is for the input method: %s', (_, source) => {
    expect(keyHandlers('a.tsx', source)).toMatchObject([{ asksFirst: true }]);
  });

  it.each([
    ['named', `${naive} const a = <textarea onKeyDown={onKeyDown} />;`],
    ['shares its name with another', `${naive} ${good} const a = <textarea onKeyDown={onKeyDown} />;`],
    ['called', `${naive} const a = <textarea onKeyDown={(event) => onKeyDown(event, row)} />;`],
    ['on the document', `${naive} document.addEventListener('keydown', onKeyDown, true);`],
    ['written in place', "const a = <textarea onKeyUp={(event) => { if (event.key === 'Enter') send(); }} />;"],
    ['belongs to another component', 'const A = ({ send }) => <textarea onKeyDown={send} />;'],
    ['ignores the answer', 'const a = <i onKeyDown={(event) => { if (isForInputMethod(event)) log(); send(); }} />;'],
    ['asks too late', 'const a = <i onKeyDown={(event) => { send(); if (isForInputMethod(event)) return; }} />;'],
  ])('The check of key handlers rejects a handler that does not ask whether the key is for the input method: %s', (_, source) => {
    expect(keyHandlers('a.tsx', source)).toMatchObject([{ asksFirst: false }]);
  });
});
