;;; test.el --- What a person sees in Emacs: the scenario of every editor  -*- lexical-binding: t; -*-
;; Run by tests/editors/emacs/run. Prints one line a check, then `N passed, N failed'.

(require 'package)
(package-initialize)
(defconst root (getenv "CAVEAT_ROOT"))
(add-to-list 'load-path (expand-file-name "editors/emacs" root))
(require 'json)
(require 'flymake)
(require 'markdown-mode)

;; A server that somebody set for Markdown before: it has to stay.
(require 'eglot)
(add-to-list 'eglot-server-programs '(markdown-mode . ("marksman-of-the-user")))
(require 'caveat)

(setq eglot-sync-connect 30 eglot-confirm-server-initiated-edits nil eglot-autoshutdown nil
      eglot-send-changes-idle-time 0.05 make-backup-files nil create-lockfiles nil)

(defvar passed 0)
(defvar failed 0)

(defun say (format &rest arguments)
  (princ (concat (apply #'format format arguments) "\n")))

(defun check (name ok &optional detail)
  "Counts the check NAME, which is as OK says; DETAIL is shown where it failed."
  (if ok (setq passed (1+ passed)) (setq failed (1+ failed)))
  (say (if ok "ok      %s" "FAILED  %s\n        %s") name detail))

(defun eventually (probe)
  "Waits until PROBE gives something; the time is a cap against hanging, not a measure."
  (let ((end (+ (float-time) 30)) found)
    (while (and (not (setq found (funcall probe))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun units (begin end)
  "The number of UTF-16 units between BEGIN and END."
  (/ (length (encode-coding-string (buffer-substring-no-properties begin end) 'utf-16le)) 2))

(defun underlined ()
  "What is underlined, as the scenario writes it."
  (mapcar (lambda (found)
            (let ((begin (flymake-diagnostic-beg found)) (end (flymake-diagnostic-end found)))
              (save-excursion
                (goto-char begin)
                (list (pcase (flymake-diagnostic-type found)
                        ('eglot-error "error") ('eglot-warning "warning") ('eglot-note "info") (other (format "%s" other)))
                      (line-number-at-pos) (units (line-beginning-position) begin) (buffer-substring-no-properties begin end)))))
          (sort (flymake-diagnostics) (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))

(defun go (line column)
  "To LINE (from 1) and COLUMN (from 0, in UTF-16 units)."
  (goto-char (point-min))
  (forward-line (1- line))
  (let ((begin (point)))
    (while (< (units begin (point)) column) (forward-char))))

(defun hover ()
  "What the server says at point; eglot shows it as it is."
  (let* ((reply (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (contents (plist-get reply :contents)))
    (or (plist-get contents :value) "")))

(defun tell ()
  "What eglot does once Emacs is idle; without a screen it never is."
  (eglot--signal-textDocument/didChange))

(defun run-step (step)
  (let* ((get (lambda (key) (alist-get key step)))
         (kind (funcall get 'step))
         (name (format "scenario: %s%s" kind (if (funcall get 'why) (concat ": " (funcall get 'why)) ""))))
    (pcase kind
      ("open"
       (find-file (funcall get 'file))
       (check "the mode is Markdown's" (derived-mode-p 'markdown-mode) major-mode)
       (caveat)
       (check name (eventually #'eglot-managed-p))
       (flymake-mode 1))
      ("diagnostics"
       ;; eglot does not keep the rule's name; its message does.
       (let ((wanted (mapcar (lambda (one) (cdr (append one nil))) (funcall get 'are))))
         (check name (eventually (lambda () (flymake-start) (equal (underlined) wanted)))
                (format "wanted %S\n        found  %S" wanted (underlined)))))
      ("hover"
       (go (funcall get 'line) (funcall get 'column))
       (let ((said (hover)))
         (check name (and (seq-every-p (lambda (part) (string-search part said)) (funcall get 'says))
                          (not (seq-some (lambda (part) (string-search part said)) (funcall get 'never))))
                said)))
      ("delete-line" (go (funcall get 'line) 0) (delete-region (point) (line-beginning-position 2)) (tell))
      ("add-line" (go (funcall get 'after) 0) (end-of-line) (insert "\n" (funcall get 'text)) (tell))
      ("save" (save-buffer) (check name (not (buffer-modified-p))))
      ("fix"
       (go (funcall get 'line) (funcall get 'column))
       (let ((action (seq-find (lambda (one) (equal (plist-get one :title) (funcall get 'action)))
                               (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                                                (list :textDocument (eglot--TextDocumentIdentifier)
                                                      :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                                                      :context '(:diagnostics []))))))
         (check name action)
         (eglot--apply-workspace-edit (plist-get action :edit))
         (tell)))
      ("text" (go (funcall get 'line) 0)
       (let ((line (buffer-substring-no-properties (point) (line-end-position))))
         (check name (string-search (funcall get 'says) line) line)))
      ("on-disk"
       (let ((line (nth (1- (funcall get 'line))
                        (split-string (with-temp-buffer (insert-file-contents file) (buffer-string)) "\n"))))
         (check name (string-search (funcall get 'says) line) line)))
      (_ (check name nil "a step that is not known here")))))

(defvar file (expand-file-name "runbooks/storage-full.md"))

(condition-case problem
    (progn
      (check "the user's own server for Markdown stays where it was"
             (equal (cdr (assq 'markdown-mode eglot-server-programs)) '("marksman-of-the-user")))
      (with-temp-buffer
        (setq buffer-file-name (expand-file-name "CLAUDE.md"))
        (delay-mode-hooks (markdown-mode))
        (caveat-ensure)
        (check "the hook has eglot run caveat, whatever is set for Markdown"
               (member caveat-command (eglot--guess-contact)) (format "%S" (eglot--guess-contact)))
        (set-buffer-modified-p nil))
      (check "rules are Markdown" (eq (assoc-default "x.mdc" auto-mode-alist #'string-match) 'markdown-mode))
      (let ((steps (alist-get 'steps (json-read-file (expand-file-name "tests/editors/scenario.json" root)))))
        (mapc #'run-step (append steps nil)))
      (let ((process (jsonrpc--process (eglot--current-server-or-lose))))
        (set-buffer-modified-p nil)
        (eglot-shutdown (eglot--current-server-or-lose))
        ;; With which status it ends is not seen here: eglot kills it as soon as it has said goodbye.
        (check "the server is gone when it is shut down" (eventually (lambda () (not (process-live-p process)))))))
  (error (check "the session runs to its end" nil (error-message-string problem))))
(say "%d passed, %d failed" passed failed)
(kill-emacs (if (= failed 0) 0 1))
