import { useEffect, useRef, useState } from "react";
import { Adopt } from "../adopt";
import { Icon } from "../icons";
import type { Fallback } from "../react";

interface Branch {
  key: string;
  /** What stands in its row: icon and name. */
  row: Node[];
  name: string;
  /** The links below it, or undefined where the row is a link itself. */
  below: Node[] | undefined;
}

/** The menu on phones, one level at a time: a branch slides in over the list, Back slides it out. */
export default function MenuSheet({ fallback }: Fallback) {
  const [branches] = useState(() => branchesIn(fallback));
  const [shown, setShown] = useState<Branch>();
  const back = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLUListElement>(null);

  useEffect(() => back.current?.focus(), [shown]);

  function leave() {
    const key = shown?.key;
    setShown(undefined);
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-replay="${key}"]`)?.focus());
  }

  return (
    <div className="sheet__levels" onKeyDown={(event) => event.key === "Escape" && shown && (event.stopPropagation(), leave())}>
      <ul ref={root} className="sheet__list" inert={shown !== undefined}>
        {branches.map((branch) =>
          branch.below ? (
            <li key={branch.key}>
              <button
                type="button"
                className="sheet__top"
                data-replay={branch.key}
                aria-expanded={branch === shown}
                onClick={() => setShown(branch)}
              >
                <Adopt as="span" className="sheet__face" nodes={branch.row} />
                <Icon name="chevron-right" size={20} />
              </button>
            </li>
          ) : (
            <Adopt as="li" key={branch.key} nodes={branch.row} />
          ),
        )}
      </ul>
      {shown && (
        <div className="sheet__level">
          <button ref={back} type="button" className="sheet__back" onClick={leave}>
            <Icon name="chevron-left" size={20} />
            <span className="sr-only">Back from </span>
            {shown.name}
          </button>
          <Adopt as="ul" className="sheet__children" nodes={shown.below ?? []} />
        </div>
      )}
    </div>
  );
}

function branchesIn(fallback: Element): Branch[] {
  return [...fallback.querySelectorAll(":scope > .sheet__list > li")].map((item, index) => {
    const summary = item.querySelector("summary");
    const name = (summary ?? item).textContent.trim();
    if (!summary) return { key: String(index), row: [...item.childNodes], name, below: undefined };
    const row = [...summary.childNodes].filter((node) => !(node instanceof SVGElement));
    return { key: String(index), row, name, below: [...(item.querySelector(".sheet__children")?.childNodes ?? [])] };
  });
}
