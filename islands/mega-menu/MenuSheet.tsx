import { useEffect, useRef, useState } from "react";
import { Adopt } from "../adopt";
import { Icon } from "../icons";
import type { Fallback } from "../react";
import { t } from "../texts";

interface Row {
  key: string;
  /** What stands in it: icon and name, or the whole link. */
  face: Node[];
  name: string;
  /** The level it leads to, or undefined where it is a link itself. */
  below: Row[] | undefined;
}

/** The menu on phones, one level at a time: a branch slides in over the level before, Back slides it out. */
export default function MenuSheet({ fallback }: Fallback) {
  const [rows] = useState(() => rowsIn(fallback.querySelector(".sheet__list")!));
  const [path, setPath] = useState<Row[]>([]);
  const root = useRef<HTMLDivElement>(null);
  const openers = useRef<HTMLElement[]>([]);

  useEffect(() => {
    if (path.length) root.current?.querySelector<HTMLElement>(".sheet__level:last-child .sheet__back")?.focus();
  }, [path]);

  function enter(row: Row, opener: HTMLElement) {
    openers.current.push(opener);
    setPath([...path, row]);
  }

  function leave() {
    setPath(path.slice(0, -1));
    const opener = openers.current.pop();
    requestAnimationFrame(() => opener?.focus()); // once its level is no longer inert
  }

  return (
    <div
      ref={root}
      className="sheet__levels"
      onKeyDown={(event) => event.key === "Escape" && path.length && (event.stopPropagation(), leave())}
    >
      <ul className="sheet__list" inert={path.length > 0}>
        <Rows rows={rows} className="sheet__top" enter={enter} />
      </ul>
      {path.map((level, depth) => (
        <div key={`${depth}-${level.key}`} className="sheet__level" inert={depth < path.length - 1}>
          <button type="button" className="sheet__back" aria-label={t("Back from {name}", { name: level.name })} onClick={leave}>
            <Icon name="chevron-left" size={20} />
            {level.name}
          </button>
          <ul className="sheet__children">
            <Rows rows={level.below ?? []} className="sheet__row" enter={enter} />
          </ul>
        </div>
      ))}
    </div>
  );
}

interface RowsProps {
  rows: Row[];
  className: string;
  enter: (row: Row, opener: HTMLElement) => void;
}

function Rows({ rows, className, enter }: RowsProps) {
  return rows.map((row) =>
    row.below ? (
      <li key={row.key}>
        <button type="button" className={className} data-replay={row.key} onClick={(event) => enter(row, event.currentTarget)}>
          <Adopt as="span" className="sheet__face" nodes={row.face} />
          <Icon name="chevron-right" size={20} />
        </button>
      </li>
    ) : (
      <Adopt as="li" key={row.key} nodes={row.face} />
    ),
  );
}

function rowsIn(list: Element): Row[] {
  return [...list.children].map((item, index) => {
    const summary = item.querySelector("summary");
    const name = (summary ?? item).textContent.trim();
    if (!summary) return { key: String(index), face: [...item.childNodes], name, below: undefined };
    const face = [...summary.childNodes].filter((node) => !(node instanceof SVGElement));
    return { key: String(index), face, name, below: rowsIn(item.querySelector(".sheet__children")!) };
  });
}
