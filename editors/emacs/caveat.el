;;; caveat.el --- Dangerous commands in files that tell agents what to do  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Lets eglot run `caveat lsp' for Markdown and for the files that address agents.  Put this file on `load-path' and
;;
;;   (require 'caveat)
;;   (add-hook 'markdown-mode-hook #'eglot-ensure)
;;
;; into your configuration.  eglot runs one server a mode: where you have another one for Markdown, the list below is
;; not touched, and `M-x caveat' starts caveat in place of it for the current project.

;;; Code:

(require 'eglot)

(defgroup caveat nil
  "Dangerous commands in files that tell agents and operators what to do."
  :group 'tools)

(defcustom caveat-command '("caveat" "lsp")
  "The program that is run, and its arguments."
  :type '(repeat string))

(defconst caveat-modes '(markdown-mode gfm-mode)
  "The modes that caveat is run for.")

;; Modes that have a server already keep it: the entry goes behind them.
(add-to-list 'eglot-server-programs
             (cons caveat-modes (lambda (&rest _) caveat-command))
             t)

(dolist (file '("\\.mdc\\'" "/\\.cursorrules\\'" "/\\.windsurfrules\\'" "/\\.clinerules\\'"))
  (add-to-list 'auto-mode-alist (cons file 'markdown-mode)))

;;;###autoload
(defun caveat ()
  "Run caveat for the current project, in place of another server for its mode."
  (interactive)
  (unless (executable-find (car caveat-command))
    (user-error "The program %s is not there: install it, or set `caveat-command'" (car caveat-command)))
  (when-let ((server (eglot-current-server)))
    (eglot-shutdown server))
  (let ((eglot-server-programs (list (cons major-mode (lambda (&rest _) caveat-command)))))
    (apply #'eglot (eglot--guess-contact))))

(provide 'caveat)

;;; caveat.el ends here
