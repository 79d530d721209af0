import { useEffect, useRef, useState, type RefObject } from "react";

interface Popup {
  isOpen: boolean;
  open: () => void;
  /** Closes; the focus goes back to the button unless the shopper clicked elsewhere. */
  close: () => void;
  box: RefObject<HTMLDivElement | null>;
  button: RefObject<HTMLButtonElement | null>;
}

/** A popup under its button: a click outside and Escape close it. */
export function usePopup(): Popup {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [isOpen]);

  return {
    isOpen,
    open: () => setOpen(true),
    close: () => {
      setOpen(false);
      button.current?.focus();
    },
    box,
    button,
  };
}
